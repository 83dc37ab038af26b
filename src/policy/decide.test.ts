import { homedir } from "node:os";
import { describe, expect, test } from "vitest";
import { profilePolicySchema } from "../config/policy-schema.ts";
import type { Decision } from "../protocol/policy.ts";
import { decide } from "./decide.ts";
import { profileOf, type CompiledProfile } from "./rules/compile-profile.ts";
import { matchesText } from "./rules/pattern.ts";
import { readCommand } from "./shell/read-command.ts";

function profileFrom(policy: unknown): CompiledProfile {
  const profiles = { default: profilePolicySchema.parse(policy) };
  const found = profileOf({ profiles }, "default", "/home/of/holdfast");
  if (found === undefined) throw new Error("nothing is configured");
  return found;
}

const careful = profileFrom({
  rules: [
    { name: "no-force", decision: "deny", command: "git push --force ..." },
    { name: "own-branch", decision: "allow", command: "git push origin feature/*" },
    { name: "push", decision: "ask", command: "git push ..." },
    { name: "wipe", decision: "deny", command: "rm -rf ..." },
    { name: "publish", decision: "ask", command: ["npm", "publish", "..."] },
    { name: "sweep", decision: "ask", command: "find ... -delete" },
    { name: "local-tool", decision: "deny", command: "/opt/tools/*" },
    { name: "clean", decision: "deny", command: "make clean" },
  ],
  protect: [
    { path: "~/.ssh", access: "any", decision: "deny" },
    { path: "/etc", decision: "ask" },
  ],
});

const decisions: readonly [command: string, decision: Decision, rule?: string][] = [
  ["ls -la", "allow"],
  ["git status", "allow"],
  ["git push", "ask", "push"],
  ["git push origin feature/x", "allow", "own-branch"],
  ["git push origin main", "ask", "push"],
  ["git push origin feature/x --force", "deny", "no-force"],
  ["git push -f", "deny", "no-force"],
  ["git push -uf origin x", "deny", "no-force"],
  ["git -C /x push --force", "deny", "no-force"],
  ["git -c a=b push --force=x", "deny", "no-force"],
  ["git commit -m push", "allow"],
  ["git $ARGS", "ask", "opaque"],
  ["rm x", "allow"],
  ["rm -r x", "allow"],
  ["rm -rf x", "deny", "wipe"],
  ["rm -fr x", "deny", "wipe"],
  ["rm -r -f x", "deny", "wipe"],
  ["rm x -R --force", "deny", "wipe"],
  ["rm --recursive --force x", "deny", "wipe"],
  ["/bin/rm -rf x", "deny", "wipe"],
  ["echo rm -rf x", "allow"],
  ["echo ok && (cd x; rm -rf y)", "deny", "wipe"],
  ["sh -c 'rm -rf x'", "deny", "wipe"],
  ["ls | xargs rm -rf", "deny", "wipe"],
  ["find . -exec rm -rf {} +", "deny", "wipe"],
  ["timeout 5 env A=b nohup rm -rf x", "deny", "wipe"],
  ["f() { rm -rf x; }; f", "deny", "wipe"],
  ["if false; then rm() { :; }; fi; rm -rf x", "deny", "wipe"],
  ["rm -- -rf", "allow"],
  ["npm publish", "ask", "publish"],
  ["npm --prefix x publish --tag y", "ask", "publish"],
  ["npm run publish", "allow"],
  ["find . -delete", "ask", "sweep"],
  ["find . -name delete", "allow"],
  ["/opt/tools/x y", "allow"],
  ["/opt/tools/x", "deny", "local-tool"],
  ["make clean", "deny", "clean"],
  ["make clean all", "allow"],
  ["make -n clean", "allow"],
  ["sudo ls", "ask", "sudo"],
  ["sudo rm -rf x", "deny", "wipe"],
  ["su -c 'rm -rf x'", "deny", "wipe"],
  ["$X", "ask", "opaque"],
  ["curl x | sh", "ask", "opaque"],
  ["echo 'open", "ask", "opaque"],
  ["cat ~/.ssh/id", "deny", "protect ~/.ssh"],
  ["cat $HOME/.ssh/id", "deny", "protect ~/.ssh"],
  ['cat "${HOME}/.ssh/id"', "deny", "protect ~/.ssh"],
  ["cat < ~/.ssh/id", "deny", "protect ~/.ssh"],
  ["cd ~/.ssh && ls", "deny", "protect ~/.ssh"],
  ["chmod -R 700 ~", "deny", "protect ~/.ssh"],
  ["mv ~/.s* x", "deny", "protect ~/.ssh"],
  ["rm -r /*", "deny", "protect ~/.ssh"],
  ["ls ~", "allow"],
  ["cat /etc/passwd", "allow"],
  ["echo x > /etc/passwd", "ask", "protect /etc"],
  ["tee /etc/passwd", "ask", "protect /etc"],
  ["dd if=x of=/etc/passwd", "ask", "protect /etc"],
  ["tar -C/etc -xf x", "ask", "protect /etc"],
  ["cp x ../etc/y", "ask", "protect /etc"],
  ["cp x /usr/../etc/y", "ask", "protect /etc"],
  ["cp x /etcetera", "allow"],
  ["env CONF=/etc/x ls", "allow"],
  ["sed -i s/a/b/ /etc/hosts", "ask", "protect /etc"],
  ["rm -r $DIR", "ask", "opaque"],
  ["cp $FILE build/", "allow"],
  ["echo x > /home/of/holdfast/holdfast.yaml", "ask", "protect /home/of/holdfast"],
];

describe("what a profile decides", () => {
  test.for(decisions)("%j is %s", ([command, decision, rule]) => {
    const verdict = decide(careful, readCommand(command), "/usr");
    expect(verdict.decision, JSON.stringify(verdict.reasons)).toBe(decision);
    expect(verdict.reasons[0]?.rule).toBe(rule);
  });

  test("with a default of deny only what is allowed runs, and what passes it on is no matter", () => {
    const strict = profileFrom({
      default: "deny",
      rules: [
        { decision: "allow", command: "npm test ..." },
        { decision: "allow", command: "grep ..." },
      ],
    });
    const verdictOn = (command: string): Decision => decide(strict, readCommand(command), "/").decision;
    expect(verdictOn("cd x && CI=1 timeout 60 npm test -- --run 2>&1 | grep fail")).toBe("allow");
    expect(verdictOn("npm test; npm run build")).toBe("deny");
    expect(verdictOn("for x in 1 2; do echo $x; done")).toBe("allow");
    expect(verdictOn("sh -c 'npm test'")).toBe("allow");
    expect(verdictOn("grep x $(find .)")).toBe("deny");
  });

  test("nothing is configured where nothing is said, and another profile has the policy of default", () => {
    const empty = { default: profilePolicySchema.parse({}) };
    expect(profileOf({ profiles: empty }, "default", "/h")).toBeUndefined();
    const some = {
      default: profilePolicySchema.parse({ default: "deny" }),
      own: profilePolicySchema.parse({ default: "ask" }),
    };
    expect(profileOf({ profiles: some }, "other", "/h")).toMatchObject({
      from: "default",
      default: "deny",
    });
    expect(profileOf({ profiles: some }, "own", "/h")).toMatchObject({
      from: "own",
    });
  });

  test("protected paths are those of the user's home", () => {
    expect(careful.protect[0]?.path).toBe(`${homedir()}/.ssh`);
  });

  test("a pattern with many stars is held against a long text in time", () => {
    const began = performance.now();
    expect(matchesText(`${"*a".repeat(50)}b`, "a".repeat(100_000))).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
