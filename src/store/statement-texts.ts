// The text of a statement, made once by Kysely: making it costs more than running it.
import type { Compilable, Kysely } from "kysely";
import type { StoreTables } from "./tables.ts";

export class StatementTexts {
  readonly #texts = new Map<string, string>();

  /** Values are bound in the order in which the statement names them. `row`: another set of columns is another statement. */
  of(kind: string, make: () => Compilable, row: object = {}): string {
    const key = `${kind} ${Object.keys(row).join(" ")}`;
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = make().compile().sql;
      this.#texts.set(key, text);
    }
    return text;
  }
}

/** The newest state of something as a whole, whether or not it was there before; by its id. */
export function upsert(
  db: Kysely<StoreTables>,
  table: "approvals" | "delegations",
  row: { readonly id: string },
): Compilable {
  const columns = Object.keys(row).filter((column) => column !== "id");
  return db
    .insertInto(table)
    .values(row as never) // a row of this table: its own type is lost in the union of both
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) =>
          Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}` as never)])),
        ),
    );
}
