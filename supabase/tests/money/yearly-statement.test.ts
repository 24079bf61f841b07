// A year of a person's money: after any events, their statements agree with the ledger, in the person's own year.
import { expect, test } from 'vitest'
import { drawStatement, KINDS, type Statement } from '../../functions/documents/statement.ts'
import { single } from '../answers.ts'
import { oddStatements } from '../model/audit.ts'
import { addPerson, addStaff, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { join, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)

interface Year {
  rows: { account: string; kind: string; part: string | null; amount: number; about: string }[]
  sums: { account: string; kind: string; amount: number }[]
  accounts: { account: string; opening: number | null; closing: number | null; moved: number }[]
}
/** Returns the day printed on a statement, according to its file. */
async function dayOf(person: Person, year: number): Promise<string | undefined> {
  const paper = await drawStatement(
    await single<Statement>(person.sql`select yearly_statement(${year})`),
    'de',
  )
  return /<xmp:CreateDate>([\d-]{10})/.exec(new TextDecoder('latin1').decode(paper))?.[1]
}
const yearOf = (person: Person, year: number) => single<Year>(person.sql`select yearly_statement(${year})`)

test('says of cards, coins and direct payments what the ledger says, cent by cent', async () => {
  const ada = await addStaff(db, 'Ada', 'admin')
  const olivia = await addPerson(db, 'Olivia')
  const [mia, leo] = [await till.payer('Mia'), await till.payer('Leo')]
  const plan = await till.share(olivia)
  await ada.sql`select adjust_wallet(${leo.id}, 3, 'A gift')`
  await till.enter(mia, plan)
  await till.enter(leo, plan, { coinsFirst: true })
  await till.work()
  await till.pass('10 days')
  const intent = (person: Person) =>
    single<string>(sql`select 'pi ' || id from member_payments where member_id = ${person.id}`)
  for (const status of ['needs_response', 'won'])
    await sql`select record_dispute('dp', ${await intent(leo)}, 1.50, ${status}, 'general', null)`
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  await till.work()
  await till.due()
  const { y } = (await sql<{ y: number }>`select extract(year from private.now())::integer as y`)[0] ?? {
    y: 0,
  }
  expect(await oddStatements(sql)).toEqual([])
  const year = await yearOf(mia, y)
  const charged = year.rows.filter(({ account, kind }) => account === 'card' && kind === 'payment')
  expect(charged.map(({ part, amount }) => [part, amount])).toEqual([
    [null, -5],
    ['fee', -0.5],
  ])
  expect(year.accounts).toMatchObject([{ account: 'card', opening: null, moved: expect.any(Number) }])
  // The PDF of a statement is dated today while its year is not over, and has words for each kind of movement that may
  // occur.
  const today = await single<string>(
    sql`select private.day_in(private.now(), private.zone_of(${mia.id}))::text`,
  )
  expect([await dayOf(mia, y), await dayOf(mia, y - 1)]).toEqual([today, `${y - 1}-12-31`])
  const kinds = await single<string>(
    sql`select pg_get_constraintdef(oid) from pg_constraint where conname = 'ledger_transfers_kind_check'`,
  )
  const all = [...kinds.matchAll(/'([a-z-]+)'/g)].map(([, kind]) => kind ?? '')
  // The site's own fees and costs are in no person's statement.
  expect(all.filter((kind) => !KINDS[kind])).toEqual(['fee', 'cost'])
  // At noon UTC on New Year's Eve, it is already next year in Kiribati.
  await leo.sql`select set_time_zone('Pacific/Kiritimati')`
  await sql`update private.clock set ahead = ahead + (make_timestamptz(${y}, 12, 31, 12, 0, 0, 'UTC') - private.now())`
  for (const person of [mia, leo]) await ada.sql`select adjust_wallet(${person.id}, 1, 'Happy new year')`
  const greeted = async (person: Person, when: number) =>
    (await yearOf(person, when)).rows.filter(({ about }) => about.endsWith('Happy new year')).length
  expect([await greeted(mia, y), await greeted(mia, y + 1)]).toEqual([1, 0])
  expect([await greeted(leo, y), await greeted(leo, y + 1)]).toEqual([0, 1])
  expect(await refusalOf(mia.sql`select yearly_statement(1999)`)).toEqual(
    rule('There is no statement for this year'),
  )
})

test('never sets off what somebody was paid directly against what they paid', async () => {
  const [olivia, mia] = [await addPerson(db, 'Olivia'), await addPerson(db, 'Mia')]
  for (const [owner, member] of [
    [olivia, mia],
    [mia, olivia],
  ] as const)
    await join(db, member, await sharePlan(db, owner, { catalogueId: 'spotify-premium-family' }))
  await sql`update member_payments set status = 'paid', paid_at = private.now(), owed_back = case owner_id when ${olivia.id} then 0.83 else 0.5 end,
    repaid_at = private.now() where settlement = 'direct'`
  const y = await single<number>(sql`select extract(year from private.now())::integer`)
  const share = await single<number>(
    sql`select share::float8 from member_payments where owner_id = ${mia.id}`,
  )
  expect((await yearOf(olivia, y)).sums.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['earning', share],
    ['payment', -share],
    ['refund', 0.5],
    ['refund-sent', -0.83],
  ])
})
