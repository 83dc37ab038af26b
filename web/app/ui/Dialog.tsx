// A window over the page that asks for something. Escape and a click outside close it; nothing has happened then.
import type { ReactNode } from "react";
import { Dialog as Radix } from "radix-ui";
import { returnFocus } from "~/ui/focus-return.ts";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed top-1/2 left-1/2 z-50 max-h-[90dvh] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-auto rounded-lg border border-line bg-raised p-4 shadow-xl"
        >
          <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
