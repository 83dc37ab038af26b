// Which file does which verb. Typed so that a verb without one does not compile.
import type { OperationName } from "../protocol/operations.ts";
import { configCheck } from "./config-check.ts";
import { configExplain } from "./config-explain.ts";
import { configGet } from "./config-get.ts";
import { configList } from "./config-list.ts";
import { configSet } from "./config-set.ts";
import type { Handler } from "./context.ts";
import { cursorGet } from "./cursor-get.ts";
import { cursorSet } from "./cursor-set.ts";
import { daemonIdle } from "./daemon-idle.ts";
import { daemonStatus } from "./daemon-status.ts";
import { daemonStop } from "./daemon-stop.ts";
import { dashboardOpen } from "./dashboard-open.ts";
import { doctor } from "./doctor.ts";
import { gc } from "./gc.ts";
import { lockAcquire } from "./lock-acquire.ts";
import { lockList } from "./lock-list.ts";
import { lockRelease } from "./lock-release.ts";
import { jobRun } from "./job-run.ts";
import { jobList } from "./job-list.ts";
import { jobGet } from "./job-get.ts";
import { jobResult } from "./job-result.ts";
import { approvalAnswer } from "./approval-answer.ts";
import { approvalList } from "./approval-list.ts";
import { auditList } from "./audit-list.ts";
import { policyCheck } from "./policy-check.ts";
import { policyLift } from "./policy-lift.ts";
import { policyList } from "./policy-list.ts";
import { policyRestore } from "./policy-restore.ts";
import { barrierSet } from "./barrier-set.ts";
import { barrierGet } from "./barrier-get.ts";
import { barrierClear } from "./barrier-clear.ts";
import { sessionEnd } from "./session-end.ts";
import { sessionGet } from "./session-get.ts";
import { sessionList } from "./session-list.ts";
import { sessionBusy } from "./session-busy.ts";
import { sessionIdle } from "./session-idle.ts";
import { sessionAttend } from "./session-attend.ts";
import { delegationStart } from "./delegation-start.ts";
import { delegationProgress } from "./delegation-progress.ts";
import { delegationFinish } from "./delegation-finish.ts";
import { delegationCancel } from "./delegation-cancel.ts";
import { delegationList } from "./delegation-list.ts";
import { notificationsAcknowledge } from "./notifications-acknowledge.ts";
import { notificationsClaim } from "./notifications-claim.ts";
import { notificationsDead } from "./notifications-dead.ts";
import { notificationsGet } from "./notifications-get.ts";
import { notificationsList } from "./notifications-list.ts";
import { notificationsRelease } from "./notifications-release.ts";
import { notificationsReplay } from "./notifications-replay.ts";
import { processActive } from "./process-active.ts";
import { processCloseStdin } from "./process-close-stdin.ts";
import { processGet } from "./process-get.ts";
import { processList } from "./process-list.ts";
import { processOutput } from "./process-output.ts";
import { processRemove } from "./process-remove.ts";
import { processRename } from "./process-rename.ts";
import { processResize } from "./process-resize.ts";
import { processShare } from "./process-share.ts";
import { processScreen } from "./process-screen.ts";
import { processSearch } from "./process-search.ts";
import { processSignal } from "./process-signal.ts";
import { processStart } from "./process-start.ts";
import { processStop } from "./process-stop.ts";
import { processTree } from "./process-tree.ts";
import { processWait } from "./process-wait.ts";
import { processWrite } from "./process-write.ts";
import { sessionInterrupt } from "./session-interrupt.ts";
import { tokenCreate } from "./token-create.ts";
import { tokenList } from "./token-list.ts";
import { tokenRevoke } from "./token-revoke.ts";
import { terminalList } from "./terminal-list.ts";
import { terminalOpen } from "./terminal-open.ts";
import { viewClose } from "./view-close.ts";
import { viewList } from "./view-list.ts";
import { watchAdd } from "./watch-add.ts";
import { watchHits } from "./watch-hits.ts";
import { watchList } from "./watch-list.ts";
import { watchRemove } from "./watch-remove.ts";

export const handlers: { readonly [Name in OperationName]: Handler<Name> } = {
  "process.start": processStart,
  "process.list": processList,
  "process.get": processGet,
  "process.tree": processTree,
  "process.output": processOutput,
  "process.screen": processScreen,
  "process.search": processSearch,
  "process.wait": processWait,
  "process.write": processWrite,
  "process.close-stdin": processCloseStdin,
  "process.resize": processResize,
  "process.signal": processSignal,
  "process.stop": processStop,
  "process.remove": processRemove,
  "process.rename": processRename,
  "process.share": processShare,
  "process.active": processActive,
  "cursor.get": cursorGet,
  "cursor.set": cursorSet,
  "terminal.open": terminalOpen,
  "terminal.list": terminalList,
  "view.list": viewList,
  "view.close": viewClose,
  "session.interrupt": sessionInterrupt,
  "daemon.status": daemonStatus,
  "daemon.stop": daemonStop,
  "daemon.idle": daemonIdle,
  "config.get": configGet,
  "config.set": configSet,
  "config.list": configList,
  "config.explain": configExplain,
  "config.check": configCheck,
  "watch.add": watchAdd,
  "watch.list": watchList,
  "watch.remove": watchRemove,
  "watch.hits": watchHits,
  "notifications.list": notificationsList,
  "notifications.get": notificationsGet,
  "notifications.claim": notificationsClaim,
  "notifications.acknowledge": notificationsAcknowledge,
  "notifications.release": notificationsRelease,
  "lock.acquire": lockAcquire,
  "lock.release": lockRelease,
  "lock.list": lockList,
  "notifications.replay": notificationsReplay,
  "notifications.dead": notificationsDead,
  "job.run": jobRun,
  "job.list": jobList,
  "job.get": jobGet,
  "job.result": jobResult,
  "barrier.set": barrierSet,
  "barrier.get": barrierGet,
  "barrier.clear": barrierClear,
  "session.list": sessionList,
  "session.get": sessionGet,
  "session.end": sessionEnd,
  "session.busy": sessionBusy,
  "session.idle": sessionIdle,
  "session.attend": sessionAttend,
  "delegation.start": delegationStart,
  "delegation.progress": delegationProgress,
  "delegation.finish": delegationFinish,
  "delegation.cancel": delegationCancel,
  "delegation.list": delegationList,
  "policy.check": policyCheck,
  "policy.list": policyList,
  "policy.lift": policyLift,
  "policy.restore": policyRestore,
  "approval.list": approvalList,
  "approval.answer": approvalAnswer,
  "audit.list": auditList,
  "dashboard.open": dashboardOpen,
  "token.create": tokenCreate,
  "token.list": tokenList,
  "token.revoke": tokenRevoke,
  gc,
  doctor,
};
