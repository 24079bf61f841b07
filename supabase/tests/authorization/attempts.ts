// Runs a statement as one of the scene's people, records its outcome, and rolls it back.
import type { Database } from '@potluck/server/db/database.ts'
import type { Role } from './cells.ts'
import type { Scene } from './scene.ts'

/** The outcome of a statement: the JSON value it returned, or the SQLSTATE it was refused with. */
export type Outcome = { answer: unknown } | { code: string; message: string }

/**
 * Installs the function that `tryAs` calls. Leaving the block by an exception rolls back the writes, the role and the
 * claims.
 */
export async function prepareAttempts(db: Database): Promise<void> {
  await db.transaction((tx) =>
    tx.script(`
      create schema matrix;
      create function matrix.attempt(p_role text, p_claims text, p_sql text) returns jsonb
      language plpgsql as $$
      declare v_answer jsonb; v_text text;
      begin
        perform set_config('search_path', 'public, extensions', true), set_config('request.jwt.claims', p_claims, true);
        perform set_config('role', p_role, true);
        execute p_sql into v_answer;
        raise exception using errcode = 'UNDO0', detail = jsonb_build_object('answer', v_answer)::text;
      exception when others then
        get stacked diagnostics v_text = pg_exception_detail;
        return case sqlstate when 'UNDO0' then v_text::jsonb
          else jsonb_build_object('code', sqlstate, 'message', sqlerrm) end;
      end $$;`),
  )
}

/** Tries the statements one by one as the role, and returns their outcomes. Each returns one JSON value. */
export async function tryAs(
  db: Database,
  scene: Scene,
  role: Role,
  statements: readonly string[],
): Promise<Outcome[]> {
  const { caller } = scene.people[role]
  const rows = await db.query<{ outcome: Outcome }>(
    `select matrix.attempt($1, $2, statement) as outcome
     from jsonb_array_elements_text($3::jsonb) with ordinality as s (statement, n) order by n`,
    [caller.role, caller.claims, JSON.stringify(statements.map((sql) => named(scene, role, sql)))],
  )
  return rows.map(({ outcome }) => outcome)
}

/** Returns the statement with names replaced by the scene's ids. */
export function named(scene: Scene, role: Role, sql: string): string {
  return sql.replace(/(?<![:\w]):([a-z_]+)\b/g, (_, name: string) => {
    const id = name === 'me' ? scene.people[role].id : scene.ids[name]
    if (id === undefined) throw new Error(`Nothing in the scene is called ${name}`)
    return `'${id}'`
  })
}
