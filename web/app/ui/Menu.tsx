// A menu behind a button. An entry that cannot be used says why instead of vanishing.
import type { ReactNode } from "react";
import { DropdownMenu } from "radix-ui";

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
  const control = open === undefined ? {} : { open };
  return (
    <DropdownMenu.Root {...control} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-40 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-48 overflow-auto rounded-md border border-line bg-raised p-1 shadow-lg"
        >
          {groups.map((entries, group) => (
            <DropdownMenu.Group key={entries[0]?.label ?? group}>
              {group === 0 ? null : <DropdownMenu.Separator className="my-1 h-px bg-line" />}
              {entries.map((entry) => (
                <MenuItem key={entry.label} entry={entry} />
              ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function MenuItem({ entry }: { entry: MenuEntry }) {
  const { label, icon, isDanger = false, disabledReason, onSelect } = entry;
  return (
    <DropdownMenu.Item
      disabled={disabledReason !== undefined}
      onSelect={onSelect}
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
