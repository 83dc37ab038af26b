// Stands beside the package that the tests run, and is loaded before every program of ours: Node keeps what it made of it, so that the next
// start takes less. By --import and not by a variable: children must not find a variable of the tests.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

enableCompileCache(join(import.meta.dirname, "compiled"));
