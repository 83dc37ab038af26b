// For a program that runs inside a kept process and must not fall with it: a daemon started from an agent's shell.
import { KeeperConnection } from "./connection.ts";
import { runVariable } from "./launcher-process.ts";
import { connectUnixSocket } from "./socket.ts";

/**
 * Takes this process and its descendants out of the tree of the kept process it runs in. False when it runs in none, or its
 * keeper does not answer.
 */
export async function leaveTree(environment: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const directory = environment[runVariable];
  if (!directory) return false;
  try {
    await using connection = await KeeperConnection.open(await connectUnixSocket(directory, "sock"));
    return (await connection.spare()) === process.pid;
  } catch {
    return false; // nobody is there who could stop the tree either
  }
}
