// Cases and decisions of staff for SQL tests.
import { single } from './answers.ts'
import type { Person } from './people.ts'

/** Reasons for a decision, as staff give them. */
export const REASONS = JSON.stringify({ ground: 'terms', clause: '5', facts: 'Asks for passwords' })

export const report = (by: Person, kind: string, subject: string, body = 'Rude', claim = 'abuse') =>
  by.sql`select report(${kind}, ${subject}, ${claim}, ${body})`

/** Reports something, and returns the case as the reporter's own export has it: by its id. */
export async function caseOf(by: Person, kind: string, subject: string): Promise<string> {
  await report(by, kind, subject)
  return single(
    by.sql`select one ->> 'id' from jsonb_array_elements(export_own_data() -> 'cases') as one
      where one ->> 'kind' = ${kind} and one ->> 'closed_at' is null order by one ->> 'opened_at' desc`,
  )
}
