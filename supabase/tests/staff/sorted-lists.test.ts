// Lists of staff in the order of a column: page after page, without a gap or a repetition, rows without a value last.
// Proves ADMIN 25
import { beforeAll, expect, test } from 'vitest'
import { columnOf } from '../answers.ts'
import { addPayee } from '../bank-accounts.ts'
import { addPeople, addStaff, ownDatabase } from '../people.ts'
import { sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
const sofia = await addStaff(db, 'Sofia', 'super-admin')

beforeAll(async () => {
  for (const person of await addPeople(db, ['Olivia', 'Olivia', 'Zoe'])) await sharePlan(db, person)
  for (const coins of [50, 50, 70]) {
    const payee = await addPayee(db, coins)
    await payee.insert('withdrawal_requests', { amount: '20' })
  }
  await sql`insert into private.payout_files (payments, amount, created_by) select 1, n % 2, ${sofia.id} from generate_series(1, 5) as n`
  await sql`select private.log_staff('seen', n::text, '{}') from generate_series(1, 5) as n`
})

test.each([
  ['list_users', 'role', 'id'],
  ['list_users', 'display_name', 'id'],
  ['list_plans_for_review', 'created_by', 'id'],
  ['list_transfers', 'plan_name', 'id'],
  ['list_transfers', 'amount', 'id'],
  ['list_withdrawals', 'amount', 'id'],
  ['list_withdrawals', 'processed_at', 'id'],
  ['list_payout_files', 'amount', 'id'],
  ['list_staff_log', 'actor_name', 'line'],
])('%s by %s', async (list, by, key) => {
  for (const [sort, way] of [
    [by, 'asc'],
    [`-${by}`, 'desc'],
  ] as const) {
    const all = await columnOf<string>(
      sofia.run(`select ${key} from ${list}(p_limit => 100) order by ${by} ${way} nulls last, ${key} ${way}`),
    )
    expect(all.length).toBeGreaterThan(2)
    const seen: string[] = []
    let after: string | null = null
    do {
      const page: { key: string; after: string }[] = await sofia.run(
        `select ${key} as key, jsonb_build_array(${by}, ${key})::text as after from ${list}(p_limit => 2, p_sort => $1, p_after => $2)`,
        [sort, after],
      )
      expect(page.length).toBeLessThanOrEqual(2)
      seen.push(...page.map((row) => row.key))
      after = page[1]?.after ?? null
    } while (after !== null)
    expect(seen).toEqual(all)
  }
})
