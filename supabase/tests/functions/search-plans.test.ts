import { beforeAll, expect, test } from 'vitest'
import { shareManyPlans } from '../many-plans.ts'
import { type Asker, addPerson, ownDatabase, type Person } from '../people.ts'
import { join, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
let olivia: Person
let marc: Person
let zoe: Person
beforeAll(async () => {
  olivia = await addPerson(db, 'Olivia')
  marc = await addPerson(db, 'Marc')
  zoe = await addPerson(db, 'Zoe')
})

const find = async (args: string, person: Asker = zoe) =>
  (await person.run<{ id: string }>(`select id from search_plans(${args})`)).map(({ id }) => id)

test('finds plans by a part of provider or plan name in any case, newest first', async () => {
  const netflix = await sharePlan(db, olivia)
  const spotify = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
  const other = await sharePlan(db, marc)

  expect(await find("'PREMIUM'")).toEqual([other.id, spotify.id, netflix.id])
  expect(await find("'etfl'")).toEqual([other.id, netflix.id])
  expect(await find("'netflix pre'")).toEqual([other.id, netflix.id])
  expect(await find("'premium', p_category => 'music'")).toEqual([spotify.id])
  expect(await find("'premium', p_provider => 'Netflix'")).toEqual([other.id, netflix.id])
  expect(await find("'100%'")).toEqual([])
  expect(await find("'_'")).toEqual([])
  expect(await find('null')).toEqual([])
  await join(db, zoe, other)
  await sql`update shared_subscriptions set owner_max_members = 2 where id = ${other.id}`
  expect(await find("'netflix'")).toEqual([netflix.id])
  expect(await find("'netflix', p_full => true")).toEqual([other.id])
})

test('finds nothing that waits for review, and nothing for visitors', async () => {
  const hidden = await sharePlan(db, zoe, { catalogueId: 'deezer-family' })
  await sql`update shared_subscriptions set status = 'pending' where id = ${hidden.id}`
  expect(await find("'deezer'", marc)).toEqual([])
  await expect(find("'deezer'", VISITOR)).rejects.toThrow(/permission denied/)
})

test('gives page after page without a gap or a repetition, while plans come and go', async () => {
  await shareManyPlans(db, 4000)
  const everything = `select id, created_at from shared_subscriptions where provider = 'Disney+' and not is_full
    order by created_at desc, id desc`
  // Half of them share a moment with others, so that ids have to tell them apart.
  await sql`update shared_subscriptions set created_at = date_trunc('minute', created_at)`
  const expected = (await zoe.run<{ id: string }>(everything)).map(({ id }) => id)
  expect(expected.length).toBeGreaterThan(100)
  const gone = new Set<string>()
  const seen: string[] = []
  let last: { created_at: string; id: string } | undefined
  for (let page = 0; page < 40; page += 1) {
    const rows: { id: string; created_at: string }[] =
      await zoe.sql`select id, created_at::text from search_plans(${'disney+'}, p_before => ${last?.created_at ?? 'infinity'}, p_before_id => ${last?.id ?? ''})`
    seen.push(...rows.map(({ id }) => id))
    last = rows.at(-1)
    if (!last || rows.length < 20) break
    // One that was seen goes, one that was not seen yet goes, and a new one comes to the top.
    const ahead = expected.findLast((id) => !seen.includes(id) && !gone.has(id))
    for (const id of [last.id, ahead]) {
      if (id) gone.add(id)
      await sql`delete from shared_subscriptions where id = ${id ?? null}`
    }
    await sharePlan(db, await addPerson(db, `Newcomer${page}`), { catalogueId: 'disney-plus-premium' })
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expected.filter((id) => seen.includes(id) || !gone.has(id)))
})

test('gives twenty at a time, and never more than a hundred', async () => {
  expect(await find("'spotify'")).toHaveLength(20)
  expect(await find("'spotify', p_limit => 3")).toHaveLength(3)
  expect(await find("'e', p_limit => 5000")).toHaveLength(100)
})
