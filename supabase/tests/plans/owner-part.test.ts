// What an owner bears of a plan's price: all that nobody else has agreed to pay.
//
// | state                                        | the owner bears                                 |
// |----------------------------------------------|--------------------------------------------------|
// | nobody has joined                            | the price                                        |
// | equal shares, all places taken               | their share and the odd cents                    |
// | a free place, or a currency without decimals | that place too, in whole units                   |
// | amounts, percentages                         | the rest, rounded in nobody else's favour        |
// | a member who pays for another                | the price less both parts                        |
// | a higher share that is not accepted          | the difference, for as long as nobody accepts it |
// | a member who leaves                          | what that member paid                            |
// | a member, a stranger                         | is refused                                       |
import { expect, test } from 'vitest'
import { expectRefusal, notFound, single } from '../answers.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { sayHowPaid, setTheTable } from '../plans.ts'

const { db, VISITOR } = await ownDatabase()

interface Case {
  price: string
  people: number
  members: number
  currency?: string
  rule?: string
  /** Each member's part, and the member who pays it. */
  parts?: [part: number, payer?: number][]
  accept?: boolean
}
const CASES: [what: string, plan: Case, bears: string][] = [
  ['all of it alone', { price: '10.00', people: 3, members: 0 }, '10.00'],
  ['a share and an odd cent', { price: '10.00', people: 3, members: 2 }, '3.34'],
  ['a free place too', { price: '10.00', people: 3, members: 1 }, '6.67'],
  ['whole yen', { price: '1000', people: 3, members: 2, currency: 'JPY' }, '334.00'],
  ['a free place in yen', { price: '1000', people: 6, members: 3, currency: 'JPY' }, '502.00'],
  [
    'the rest of amounts',
    { price: '12.00', people: 4, members: 2, rule: 'amount', parts: [[5], [0.5]] },
    '6.50',
  ],
  [
    'the rest of percentages',
    { price: '17.99', people: 4, members: 3, rule: 'percent', parts: [[25], [10], [33.33]] },
    // 4.49 + 1.79 + 5.99 are paid.
    '5.72',
  ],
  [
    'percentages of yen',
    { price: '999', people: 3, members: 2, currency: 'JPY', rule: 'percent', parts: [[33.3], [50]] },
    // 332 + 499 are paid.
    '168.00',
  ],
  [
    'nothing for two',
    { price: '12.00', people: 3, members: 2, rule: 'amount', parts: [[8], [4, 0]] },
    '0.00',
  ],
  ['equal shares for two', { price: '10.00', people: 3, members: 2, parts: [[0], [0, 0]] }, '3.34'],
  [
    'what nobody has accepted',
    { price: '12.00', people: 4, members: 2, rule: 'amount', parts: [[5], [2, 0]], accept: false },
    // Both still pay 3.00: the second is not carried before the first has agreed.
    '6.00',
  ],
]

const partOf = (person: Person, plan: string) => single(person.sql`select owner_part(${plan})`)

test.each(CASES)('an owner bears %s', async (_what, plan, bears) => {
  const { price, people, members, currency = 'EUR', rule = 'equal', parts = [], accept = true } = plan
  const owner = await addPerson(db, 'Olivia')
  await sayHowPaid(owner)
  const id = await single(owner.sql`insert into shared_subscriptions
    (provider, name, total_price, currency, cycle_months, max_members, next_payment)
    values ('Kagi', 'Family', ${price}, ${currency}, 1, ${people}, current_date) returning id`)
  const links: string[] = []
  for (let at = 0; at < members; at++)
    links.push(await single(owner.sql`select add_guest(${id}, ${`Guest ${'ABC'[at]}`})`))
  if (parts.length > 0) {
    const seats = await owner.sql<{ id: string }>`select id from plan_seats(${id}) order by member_name`
    const given = Object.fromEntries(
      parts
        .map(([part, payer]) => [{ part, carriedBy: payer === undefined ? null : seats[payer]?.id }])
        .map(([one], at) => [seats[at]?.id, one]),
    )
    await owner.run('select propose_shares($1, $2, $3, $4)', [id, price, rule, JSON.stringify(given)])
    for (const link of accept ? links : []) {
      const { terms } = await single<{ terms: { id: string } | null }>(VISITOR.sql`select my_place(${link})`)
      if (terms) await VISITOR.sql`select place_answered_terms(${link}, ${terms.id}, true)`
    }
  }
  expect(await partOf(owner, id)).toBe(bears)
  // Whatever the members pay and the owner bears is the price, now and when one has left.
  const all = `select p.total_price = owner_part(p.id) + (select sum(share) from plan_seats(p.id) where ended_at is null)
    from shared_subscriptions as p where id = $1`
  const [last, ...rest] = links.reverse()
  if (last) expect(await single(owner.run(all, [id]))).toBe(true)
  if (last) await VISITOR.sql`select place_leaves(${last})`
  if (rest.length > 0) expect(await single(owner.run(all, [id]))).toBe(true)
  else if (last) expect(Number(await partOf(owner, id))).toBe(Number(price))
})

test('of a plan of the catalogue too; nobody else is told', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  expect(await partOf(olivia, plan.id)).toBe('14.99')
  for (const other of [marc, zoe])
    await expectRefusal(partOf(other, plan.id), notFound('Subscription not found'))
})
