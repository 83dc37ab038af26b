// One line of `holdfast doctor`.
import type { OperationOutput } from "../protocol/operations.ts";

export type Check = OperationOutput<"doctor">["checks"][number];
