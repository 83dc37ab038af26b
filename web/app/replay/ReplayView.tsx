// A recording on the page with its controls.
import { useEffect, useRef, useState } from "react";
import { Pause, Play } from "lucide-react";
import "@xterm/xterm/css/xterm.css";
import { shownTheme } from "~/hooks/use-theme.ts";
import type { Cast } from "~/replay/cast.ts";
import { Player, speeds, type PlayerState } from "~/replay/player.ts";
import { guardRecording } from "~/replay/recording-guard.ts";
import { LinkDialog } from "~/terminal/LinkDialog.tsx";
import { newEmulator } from "~/terminal/new-emulator.ts";
import { terminalThemes } from "~/terminal/terminal-theme.ts";
import { Button } from "~/ui/Button.tsx";
import { formatDuration } from "~/util/format.ts";
import { useStore } from "~/util/store.ts";

export function ReplayView({ cast }: { cast: Cast }) {
  const place = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<Player>();
  const theme = useStore(shownTheme);
  useEffect(() => {
    if (place.current === null) return undefined;
    const terminal = newEmulator();
    terminal.options.fontSize = 13;
    terminal.options.theme = terminalThemes[shownTheme.get()];
    guardRecording(terminal);
    terminal.open(place.current);
    const made = new Player(terminal, cast);
    setPlayer(made);
    made.play();
    const follow = shownTheme.subscribe(() => {
      terminal.options.theme = terminalThemes[shownTheme.get()];
    });
    return () => {
      follow();
      made.close();
    };
  }, [cast]);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-theme-shown={theme}>
      <div className="min-h-0 flex-1 overflow-auto bg-(--terminal) p-1">
        <div ref={place} className="w-fit" />
      </div>
      {player === undefined ? null : <Controls player={player} duration={cast.duration} />}
      <LinkDialog />
    </div>
  );
}

const stepSeconds = 5;

function Controls({ player, duration }: { player: Player; duration: number }) {
  const { at, isPlaying, speed }: PlayerState = useStore(player.state);
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line bg-surface px-3 py-2">
      <Button
        kind="primary"
        onClick={() => (isPlaying ? player.pause() : player.play())}
        icon={isPlaying ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
      >
        {isPlaying ? "Pause" : "Play"}
      </Button>
      <input
        type="range"
        aria-label="Time"
        aria-valuetext={`${at.toFixed(1)} of ${duration.toFixed(1)} seconds`}
        className="min-w-40 flex-1 accent-(--accent)"
        min={0}
        max={duration}
        step="any"
        value={at}
        onKeyDown={(event) => {
          const step =
            event.key === "ArrowLeft" ? -stepSeconds : event.key === "ArrowRight" ? stepSeconds : 0;
          if (step === 0) return;
          event.preventDefault();
          player.seek(at + step);
        }}
        onChange={({ target }) => player.seek(Number(target.value))}
      />
      <span className="text-xs text-muted tabular-nums">
        {formatDuration(at * 1000)} / {formatDuration(duration * 1000)}
      </span>
      <label className="flex items-center gap-1 text-xs text-muted">
        Speed
        <select
          className="rounded border border-line bg-surface px-1 py-0.5 text-text"
          value={speed}
          onChange={({ target }) => player.setSpeed(Number(target.value))}
        >
          {speeds.map((value) => (
            <option key={value} value={value}>
              {value}×
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
