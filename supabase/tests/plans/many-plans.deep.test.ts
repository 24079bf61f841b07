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
  await sql`insert into subscription_invitations (subscription_id, email, invited_by, token_hash)
    select id, 'nina@potluck.example', owner_id, id from shared_subscriptions where id like 'sub-crowd-%'`
  await sql`analyze subscription_invitations`
})

const NEWEST = 'order by created_at desc, id desc limit 20'
const LATER = `created_at <= now() - interval '5000 seconds'
  and (created_at < now() - interval '5000 seconds' or id < 'sub-crowd-5')`
const active = (condition: string, full = false) =>
  `select * from shared_subscriptions where status = 'active' and is_full = ${full} and ${condition} ${NEWEST}`
const before = "p_before => now() - interval '5000 seconds', p_before_id => 'sub-crowd-5'"

// Every plan of it keeps a place.
const PAGE = `array(select 'sub-crowd-' || n from generate_series(1, 20) as n)`

const SO_FAR = `select seq_scan as scans, idx_tup_fetch as rows from pg_stat_xact_user_tables
  where relname = 'shared_subscriptions'`

/** How a statement of Zoe's reads the plans: sequential scans, and rows read through indexes. */
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
    ['the first page', active('true')],
    ['a page deep in the list', active(LATER)],
    ['the first page of those without a place', active('true', true)],
    ['a category', active("category = 'gaming'")],
    ['a page deep in a category', active(`category = 'gaming' and ${LATER}`)],
    ['a provider', active("provider = 'Netflix'")],
    ['a page deep among the plans of a provider', active(`provider = 'Netflix' and ${LATER}`)],
  ])('%s is planned over an index, in its order', async (_what, statement) => {
    const plan = (await zoe.run(`explain ${statement}`)).map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Scan using shared_subscriptions_(newest|all|category|provider)_idx/)
    expect(plan).not.toMatch(/Seq Scan on shared_subscriptions|Sort/)
    expect(await reading(statement)).toEqual({ scans: 0, rows: expect.toSatisfy((rows) => rows <= 40) })
  })

  test.each([
    ['a search for what many share', "search_plans('netflix')", 20, 100],
    ['a later page of it', `search_plans('netflix', ${before})`, 20, 100],
    ['what is full of it', `search_plans('netflix', p_full => true)`, 20, 100],
    ['a search for what three people share', `search_plans('${RARE_PROVIDER}')`, 3, 20],
    ['a search for a letter that is nearly everywhere', "search_plans('e')", 20, 1500],
    ['a search for what nobody shares', "search_plans('no such plan')", 0, 0],
    ['the newest in the marketplace', 'jsonb_array_elements(market_plans())', 24, 4000],
    ['the cheapest in it', 'jsonb_array_elements(market_plans(p_cheapest => true))', 24, 4000],
    [
      'the cheapest of a search',
      `jsonb_array_elements(market_plans('netflix', p_cheapest => true))`,
      24,
      150,
    ],
    ['the counts', 'count_available_plans()', 32, 0],
    ['the places kept on a page of them', `count_kept_places(${PAGE})`, 20, 20],
  ])('%s reads a few rows of an index', async (_what, call, found, most) => {
    expect(await zoe.run(`select * from ${call}`)).toHaveLength(found)
    const { scans, rows } = await reading(`select * from ${call}`)
    expect(scans).toBe(0)
    expect(rows).toBeLessThanOrEqual(most)
  })

  test('what somebody meets after signing in reads what is theirs, and a few rows of the index for a suggestion', async () => {
    // A member of a plan in the category with the most different plans.
    await sql`insert into subscription_members (subscription_id, user_id, name, email, is_owner)
      select id, ${zoe.id}, 'Zoe', 'zoe@potluck.example', false from shared_subscriptions
      where category = 'streaming' and current_members = 2 order by id limit 1`
    const [row] = await zoe.run<{ home: { suggestion: unknown } }>('select my_home() as home')
    expect(row?.home.suggestion).toMatchObject({ kind: 'cheapest', category: 'streaming' })
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
