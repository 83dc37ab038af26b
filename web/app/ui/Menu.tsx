// A menu behind a button. An entry that cannot be used says why instead of vanishing.
import { useRef, type ReactNode } from "react";
import { DropdownMenu } from "radix-ui";
import { returnFocus } from "~/ui/focus-return.ts";

export interface MenuEntry {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDanger?: boolean;
  readonly disabledReason?: string | undefined;
  readonly onSelect: () => void;
}

export interface MenuProps {
  /** A button, or anything that takes a ref and the properties of one. */
  readonly trigger: ReactNode;
  /** Groups are set apart by a line. */
  readonly groups: readonly (readonly MenuEntry[])[];
  readonly label: string;
  readonly open?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

export function Menu({ trigger, groups, label, open, onOpenChange }: MenuProps) {
  const chosen = useRef<MenuEntry>(undefined);
  const opener = useRef<HTMLButtonElement>(null);
  // An entry acts when the menu is gone: until then the menu would not let go of the focus.
  const act = (event: Event): void => {
    returnFocus(event, opener.current);
    chosen.current?.onSelect();
    chosen.current = undefined;
  };
  const control = open === undefined ? {} : { open };
  return (
    <DropdownMenu.Root {...control} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <DropdownMenu.Trigger ref={opener} asChild>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          onCloseAutoFocus={act}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-40 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-48 overflow-auto rounded-md border border-line bg-raised p-1 shadow-lg"
        >
          {groups.map((entries, group) => (
            <DropdownMenu.Group key={entries[0]?.label ?? group}>
              {group === 0 ? null : <DropdownMenu.Separator className="my-1 h-px bg-line" />}
              {entries.map((entry) => (
                <MenuItem
                  key={entry.label}
                  entry={entry}
                  onChoose={() => {
                    chosen.current = entry;
                  }}
                />
              ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function MenuItem({ entry, onChoose }: { entry: MenuEntry; onChoose: () => void }) {
  const { label, icon, isDanger = false, disabledReason } = entry;
  return (
    <DropdownMenu.Item
      disabled={disabledReason !== undefined}
      onSelect={onChoose}
      className={`flex min-h-8 cursor-default items-center gap-2 rounded px-2 py-1 outline-none select-none data-disabled:text-muted data-highlighted:bg-sunken pointer-coarse:min-h-10 ${isDanger && disabledReason === undefined ? "text-bad" : ""}`}
    >
      {icon}
      <span>
        {label}
        {disabledReason === undefined ? null : (
          <span className="block text-xs text-muted">{disabledReason}</span>
        )}
      </span>
    </DropdownMenu.Item>
  );
}
