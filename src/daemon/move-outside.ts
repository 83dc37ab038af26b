// A daemon asked for from inside a kept process, say an agent's shell: started there it would have that process's limits
// and cgroup, and fall with them. So its keeper starts it, outside the tree.
import { connectUnixSocket, KeeperConnection } from "../keeper/index.ts";

const runVariable = "HOLDFAST_RUN";
const keeperTimeoutMs = 1_000;

/**
 * Lets the keeper of the process we are in start this program again, outside. False when we are in none, or its keeper
 * does not answer: then only to go on here is left.
 */
export async function moveOutside(environment: NodeJS.ProcessEnv): Promise<boolean> {
  const { [runVariable]: directory, ...variables } = environment;
  if (!directory) return false;
  try {
    const socket = await connectUnixSocket(directory, "sock");
    await using connection = await KeeperConnection.open(socket, { timeoutMs: keeperTimeoutMs });
    const env = Object.fromEntries(
      Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    await connection.outside({ cwd: "/", argv: [process.execPath, ...process.argv.slice(1)], env });
    return true;
  } catch {
    return false; // ended, killed, or of another contract
  }
}
