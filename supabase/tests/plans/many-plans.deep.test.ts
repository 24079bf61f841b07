// Proves BROWSE 01 07
import { asCaller } from '@potluck/server/db/as-caller.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { RARE_PROVIDER, shareManyPlans } from '../many-plans.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'

const { db, sql } = await ownDatabase()
let zoe: Person
beforeAll(async () => {
  await shareManyPlans(db, 20_000)
  zoe = await addPerson(db, 'Zoe')
})

const before = "p_before => now() - interval '5000 seconds', p_before_id => 'sub-crowd-5'"

const market = (args: string) => `jsonb_array_elements(market_plans(${args}))`

const SO_FAR = `select seq_scan as scans, idx_tup_fetch as rows from pg_stat_xact_user_tables
  where relname = 'shared_subscriptions'`

/** Returns how a statement of Zoe's reads the plans: sequential scans, and rows read through indexes. */
async function reading(statement: string): Promise<{ scans: number; rows: number }> {
  const texts = [SO_FAR, statement, SO_FAR]
  const [before, , after] = await asCaller(
    db,
    zoe.caller,
    texts.map((text) => ({ text })),
  )
  const more = (of: 'scans' | 'rows') => Number(after?.[0]?.[of]) - Number(before?.[0]?.[of])
  return { scans: more('scans'), rows: more('rows') }
}

describe('among 20,000 plans, as a signed-in stranger,', () => {
  test.each([
    ['a search for what many share', market(`'netflix', p_full => true`), 24, 100],
    ['a later page of it', market(`'netflix', ${before}`), 24, 100],
    ['what is full of it', market(`'netflix', p_full => true, p_after_room => false`), 24, 100],
    ['a search for what three people share', market(`'${RARE_PROVIDER}', p_full => true`), 3, 30],
    ['a search for a letter that is nearly everywhere', market(`'e'`), 24, 2500],
    ['a search for what nobody shares', market(`'no such plan', p_full => true`), 0, 0],
    ['the newest', market(`p_full => true`), 24, 4000],
    ['a page deep in the list', market(`${before}`), 24, 4000],
    ['the cheapest', market(`p_cheapest => true`), 24, 4000],
    ['the cheapest of a search', market(`'netflix', p_cheapest => true`), 24, 150],
    ['the counts', 'count_available_plans()', 32, 0],
  ])('%s reads a few rows of an index', async (_what, call, found, most) => {
    expect(await zoe.run(`select * from ${call}`)).toHaveLength(found)
    const { scans, rows } = await reading(`select * from ${call}`)
    expect(scans).toBe(0)
    expect(rows).toBeLessThanOrEqual(most)
  })

  test('what somebody meets after signing in reads what is theirs alone', async () => {
    // Makes Zoe a member of a plan in the category with the most different plans.
    await sql`insert into subscription_members (subscription_id, user_id, name, email, is_owner)
      select id, ${zoe.id}, 'Zoe', 'zoe@potluck.example', false from shared_subscriptions
      where category = 'streaming' and current_members = 2 order by id limit 1`
    const { scans, rows } = await reading('select my_home()')
    expect(scans).toBe(0)
    expect(rows).toBeLessThanOrEqual(1500)
  })

  test('the counts are those of the plans', async () => {
    const counted = 'select category, provider, plans, open from count_available_plans() order by 1, 2'
    const real = `select category, provider, count(*) as plans,
        count(*) filter (where current_members < owner_max_members) as open
      from shared_subscriptions where status = 'active' group by 1, 2 order by 1, 2`
    expect(await zoe.run(counted)).toEqual(await zoe.run(real))
  })
})
