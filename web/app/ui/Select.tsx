// A labelled choice of one. The browser's own: it works everywhere, with any input.
export interface SelectProps<Value extends string> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
  readonly className?: string;
}

export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  value,
  choices,
  onChange,
  className = "",
}: SelectProps<Value>) {
  return (
    <label className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <span className={isLabelHidden ? "sr-only" : ""}>{label}</span>
      <select
        value={value}
        onChange={({ target }) => onChange(target.value as Value)} // the options below are all there are
        className="h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 pointer-coarse:h-10"
      >
        {Object.entries<string>(choices).map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
