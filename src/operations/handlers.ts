// Which file does which verb. Typed so that a verb without one does not compile.
import type { OperationName } from "../protocol/operations.ts";
import { configCheck } from "./config-check.ts";
import { configExplain } from "./config-explain.ts";
import { configGet } from "./config-get.ts";
import { configList } from "./config-list.ts";
import { configSet } from "./config-set.ts";
import type { Handler } from "./context.ts";
import { daemonStatus } from "./daemon-status.ts";
import { daemonStop } from "./daemon-stop.ts";
import { doctor } from "./doctor.ts";
import { gc } from "./gc.ts";
import { processActive } from "./process-active.ts";
import { processCloseStdin } from "./process-close-stdin.ts";
import { processGet } from "./process-get.ts";
import { processList } from "./process-list.ts";
import { processOutput } from "./process-output.ts";
import { processRemove } from "./process-remove.ts";
import { processRename } from "./process-rename.ts";
import { processResize } from "./process-resize.ts";
import { processSignal } from "./process-signal.ts";
import { processStart } from "./process-start.ts";
import { processStop } from "./process-stop.ts";
import { processWait } from "./process-wait.ts";
import { processWrite } from "./process-write.ts";
import { sessionInterrupt } from "./session-interrupt.ts";

export const handlers: { readonly [Name in OperationName]: Handler<Name> } = {
  "process.start": processStart,
  "process.list": processList,
  "process.get": processGet,
  "process.output": processOutput,
  "process.wait": processWait,
  "process.write": processWrite,
  "process.close-stdin": processCloseStdin,
  "process.resize": processResize,
  "process.signal": processSignal,
  "process.stop": processStop,
  "process.remove": processRemove,
  "process.rename": processRename,
  "process.active": processActive,
  "session.interrupt": sessionInterrupt,
  "daemon.status": daemonStatus,
  "daemon.stop": daemonStop,
  "config.get": configGet,
  "config.set": configSet,
  "config.list": configList,
  "config.explain": configExplain,
  "config.check": configCheck,
  gc,
  doctor,
};
