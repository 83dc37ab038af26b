// How output is shown, searched, copied and taken away.
import { useState, type ReactNode } from "react";
import {
  ArrowDownToLine,
  CaseSensitive,
  ChevronDown,
  ChevronUp,
  Clock,
  Copy,
  Download,
  Regex,
  Search,
  WrapText,
} from "lucide-react";
import type { ListedProcess } from "#protocol/control.ts";
import { client } from "~/api/client.ts";
import { outputFile, type OutputFormat } from "~/api/output-file.ts";
import { copyText } from "~/processes/actions/process-actions.ts";
import { disabledReason } from "~/processes/disabled-reason.ts";
import { changeOutputSettings, outputSettings } from "~/processes/output/output-settings.ts";
import type { SearchWish } from "~/processes/output/use-search.ts";
import { Button } from "~/ui/Button.tsx";
import { Field } from "~/ui/Field.tsx";
import { Menu, type MenuEntry } from "~/ui/Menu.tsx";
import { showError } from "~/ui/toasts.tsx";
import { useStore } from "~/util/store.ts";

const iconSize = 15;
const copyBytes = 1_048_576;

export interface OutputToolbarProps {
  readonly process: ListedProcess;
  readonly isFollowing: boolean;
  readonly onFollow: () => void;
  readonly onLeaveEnd: () => void;
  readonly wish: SearchWish;
  readonly onWish: (wish: SearchWish) => void;
  /** To the next match, or the one before. */
  readonly onStep: (by: 1 | -1) => void;
  readonly hasMatches: boolean;
}

export function OutputToolbar(props: OutputToolbarProps) {
  const { process, isFollowing, onFollow, onLeaveEnd } = props;
  const { isWrapped, hasTimes } = useStore(outputSettings);
  return (
    <div
      role="toolbar"
      aria-label="Output"
      className="flex flex-wrap items-center gap-1 border-b border-line bg-surface px-2 py-1"
    >
      <Toggle
        label="Follow"
        isOn={isFollowing}
        icon={<ArrowDownToLine size={iconSize} aria-hidden />}
        onToggle={isFollowing ? onLeaveEnd : onFollow}
      />
      <Toggle
        label="Wrap"
        isOn={isWrapped}
        icon={<WrapText size={iconSize} aria-hidden />}
        onToggle={() => changeOutputSettings({ isWrapped: !isWrapped })}
      />
      <Toggle
        label="Times"
        isOn={hasTimes}
        icon={<Clock size={iconSize} aria-hidden />}
        onToggle={() => changeOutputSettings({ hasTimes: !hasTimes })}
      />
      <SearchForm {...props} />
      <div className="ml-auto flex gap-1">
        <Button
          kind="ghost"
          aria-label="Copy output"
          title="Copy the end of the output as plain text, at most 1 MB"
          icon={<Copy size={iconSize} aria-hidden />}
          disabledReason={disabledReason.readOutput(process)}
          onClick={() => void copyOutput(process.id)}
        />
        <Menu
          label="Download output"
          groups={[downloads(process)]}
          trigger={
            <Button
              kind="ghost"
              aria-label="Download output"
              icon={<Download size={iconSize} aria-hidden />}
            />
          }
        />
      </div>
    </div>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly icon: ReactNode;
  readonly onToggle: () => void;
  /** The icon says it. */
  readonly isShort?: boolean;
}

function Toggle({ label, isOn, icon, onToggle, isShort = false }: ToggleProps) {
  return (
    <Button
      kind={isOn ? "pressed" : "ghost"}
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      icon={icon}
      onClick={onToggle}
    >
      {isShort ? null : <span className="hidden @3xl:inline">{label}</span>}
    </Button>
  );
}

function SearchForm({ wish, onWish, onStep, hasMatches }: OutputToolbarProps) {
  const [text, setText] = useState(wish.text);
  const change = (part: Partial<SearchWish>): void => onWish({ ...wish, text, ...part });
  const none = hasMatches ? undefined : "Nothing was found";
  return (
    <search className="order-last flex w-full min-w-0 flex-wrap items-center gap-1 @xl:order-none @xl:w-auto @xl:flex-1">
      <form
        className="min-w-24 flex-1 @xl:max-w-72"
        onSubmit={(event) => {
          event.preventDefault();
          if (text === wish.text && hasMatches) onStep(1);
          else change({});
        }}
      >
        <Field
          type="search"
          label="Search the whole output"
          isLabelHidden
          placeholder="Search the whole output"
          icon={<Search size={14} aria-hidden />}
          value={text}
          onChange={(next) => {
            setText(next);
            if (next === "") change({ text: "" });
          }}
        />
      </form>
      <Toggle
        label="Match case"
        isShort
        isOn={wish.isCaseSensitive}
        icon={<CaseSensitive size={iconSize} aria-hidden />}
        onToggle={() => change({ isCaseSensitive: !wish.isCaseSensitive })}
      />
      <Toggle
        label="Regular expression"
        isShort
        isOn={wish.isPattern}
        icon={<Regex size={iconSize} aria-hidden />}
        onToggle={() => change({ isPattern: !wish.isPattern })}
      />
      <Button
        kind="ghost"
        aria-label="Previous match"
        disabledReason={none}
        icon={<ChevronUp size={iconSize} aria-hidden />}
        onClick={() => onStep(-1)}
      />
      <Button
        kind="ghost"
        aria-label="Next match"
        disabledReason={none}
        icon={<ChevronDown size={iconSize} aria-hidden />}
        onClick={() => onStep(1)}
      />
    </search>
  );
}

const formats: readonly (readonly [OutputFormat, string])[] = [
  ["plain", "Plain text"],
  ["raw", "Raw bytes"],
  ["asciicast", "Recording (asciicast)"],
];

function downloads(process: ListedProcess): MenuEntry[] {
  return formats.map(([format, label]) => ({
    label,
    disabledReason:
      disabledReason.readOutput(process) ??
      (format === "asciicast" ? disabledReason.replay(process) : undefined),
    onSelect: () => download(outputFile(process.id, format)),
  }));
}

/** The daemon names the file. */
function download(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}

async function copyOutput(id: string): Promise<void> {
  try {
    const { text = "" } = await client.process.output({ id, tailBytes: copyBytes, limitBytes: copyBytes });
    await copyText(text, "Output");
  } catch (error) {
    showError("Not copied", error);
  }
}
