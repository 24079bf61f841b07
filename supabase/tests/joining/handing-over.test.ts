// Handing over a private plan that is paid directly. What each side may do, who would profit from a gap, and what becomes of the money.
//
// | who                                 | does                                | result                                                 |
// |-------------------------------------|-------------------------------------|--------------------------------------------------------|
// | owner                               | offers it to a member               | one open offer; nothing changes before the day         |
// | owner                               | offers it twice, or at two places   | refused until withdrawn                                |
// | owner                               | to a guest, a claim, a leaver       | refused                                                |
// | owner of a listed or paid plan      | offers it                           | refused                                                |
// | owner with an open problem          | offers it, or the day comes         | refused; the offer ends                                |
// | stranger, other member, old owner   | accepts, declines, withdraws        | refused as unknown                                     |
// | member who says nothing             |                                     | nothing happens                                        |
// | member with such a plan, no details | accepts                             | refused                                                |
// | member who leaves, blocks, is banned| after accepting                     | nothing changes hands                                  |
// | owner who cancels, or leaves Potluck| after offering                      | plan and offer are gone                                |
// | owner who raises the price          | after it was accepted               | the offer ends                                         |
// | both                                | say at once                         | at once; the old owner has paid the cycle, so is free  |
// | new owner                           | took the plan over                  | still owes the old owner what was due (settle_seat)    |
// | member                              | owes the old owner                  | still does, also if they leave the new owner           |
// | new owner                           | ends a place over an old debt       | refused                                                |
// | new owner                           | removes who paid the old one        | refused, since the old owner would owe it              |
// | new owner                           | cancels the plan before the old     | refused, since the old owner would owe everybody       |
// |                                     | owner's period is over              |                                                        |
// | new owner                           | removes the old one who has prepaid | refused                                                |
// | owner reported by three guests      | hands over to an accomplice         | refused                                                |
// | new owner with a guest's link       | reads notes, invitations of the old | nothing of them                                        |
// | owners in two time zones            |                                     | the free period ends with the cycle that was prepaid   |
// | old owner                           | reads the login, guests' links      | gone; the new owner makes new ones                     |
// | old owner who owes                  | handed the plan over                | still owes, and alone                                  |
// | two who hand it back and forth      |                                     | no standing that was not paid for                      |
import { describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, notFound, rule, single } from '../answers.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { ask, sayHowPaid } from '../plans.ts'
import { race } from '../race.ts'
import { openEntry, storeEntry } from '../vault-entries.ts'

const { db, sql, VISITOR } = await ownDatabase()
const GONE = notFound('This offer is over')
const NOT_POSSIBLE = rule('The plan can’t be handed over to this person.')

let today = '2027-01-10'
/** Moves the site's clock to the noon of a day, and does all work that is due. */
async function reach(day: string) {
  today = day
  await sql`update private.clock set ahead = ${`${day}T12:00:00Z`}::timestamptz - now()`
  while (Number(await single(sql`select private.run_due_work()`)) > 0);
}
async function join(person: Person, plan: string, owner: Person) {
  await person.sql`select open_plan_link(${await single(owner.sql`select get_plan_link(${plan})`)})`
  await owner.sql`select approve_subscription_request(${await ask(db, person, { id: plan, owner })}, ${plan})`
}
/** Olivia shares a plan in yen, monthly, of four people; Marc, Nina and the guest Mum have a place in it from its first day. */
async function group({
  price = '1000',
  months = '1',
  currency = 'JPY',
  day = '2027-01-10',
  starts = '2027-01-10',
} = {}) {
  await reach(day)
  const [olivia, marc, nina] = [
    await addPerson(db, 'Olivia'),
    await addPerson(db, 'Marc'),
    await addPerson(db, 'Nina'),
  ] as const
  for (const person of [olivia, marc]) await sayHowPaid(person)
  const plan =
    await single(olivia.sql`insert into shared_subscriptions (provider, name, total_price, currency, cycle_months, max_members,
    next_payment) values ('Kagi', 'Family', ${price}, ${currency}, ${months}, 4, ${starts}) returning id`)
  await join(marc, plan, olivia)
  await join(nina, plan, olivia)
  const secret = await single(olivia.sql`select add_guest(${plan}, 'Mum')`)
  const offer = (atOnce = false) => olivia.sql`select offer_plan(${plan}, ${marc.id}, ${atOnce})`
  const accept = (atOnce = false) => single(marc.sql`select accept_plan(${plan}, ${atOnce})`)
  return { olivia, marc, nina, plan, secret, offer, accept }
}
type Group = Awaited<ReturnType<typeof group>>
const agreed = async (at?: Parameters<typeof group>[0]) => {
  const table = await group(at)
  await table.offer()
  await table.accept()
  return table
}
/** Who owes whom what for which period of the plan, with the status. */
const debts = (plan: string) =>
  columnOf(sql`select concat(m.display_name, ' ', o.display_name, ' ', trim_scale(p.share), ' ', p.starts_at::date, ' ', p.status)
    from member_payments as p join private.user_profiles as m on m.user_id = p.member_id
    join private.user_profiles as o on o.user_id = p.owner_id where p.subscription_id = ${plan} order by p.starts_at::date, 1`)
const payment = (member: Person, owner: Person) =>
  single(
    sql`select id from member_payments where member_id = ${member.id} and owner_id = ${owner.id} order by due_at limit 1`,
  )
const ownerOf = (plan: string) => single(sql`select owner_id from shared_subscriptions where id = ${plan}`)
const events = (person: Person) =>
  columnOf(
    sql`select event from user_notifications where user_id = ${person.id} order by created_at desc, id`,
  )
const facts = (person: Person) =>
  single<number[]>(
    sql`select to_jsonb(array[hours_given, paid_on_time, paid_late, problems]) from private.standing_facts(array[${person.id}::uuid])`,
  )

describe('the offer', () => {
  test('waits for the member, and the plan changes hands on its renewal day', async () => {
    const { olivia, marc, nina, plan, offer, accept } = await group()
    await offer()
    await expectRefusal(offer(), rule('The plan is offered to somebody already. Withdraw that first.'))
    expect(await single(nina.sql`select get_plan_offer(${plan})`)).toBeNull()
    expect(await single(marc.sql`select get_plan_offer(${plan})`)).toMatchObject({
      ...{ person: 'Olivia', isYours: false, acceptedAt: null, share: 250, rest: 250, currency: 'JPY' },
      at: '2027-02-10T00:00:00+00:00',
    })
    for (const other of [nina, olivia]) {
      await expectRefusal(other.sql`select accept_plan(${plan})`, GONE)
      await expectRefusal(other.sql`select decline_plan(${plan})`, GONE)
    }
    await expectRefusal(marc.sql`select withdraw_plan_offer(${plan})`, GONE)
    expect(new Date(await accept(true)).toISOString()).toBe('2027-02-10T00:00:00.000Z')
    await reach('2027-02-09')
    expect(await ownerOf(plan)).toBe(olivia.id)
    await reach('2027-02-10')
    expect(await ownerOf(plan)).toBe(marc.id)
    expect(
      await columnOf(marc.sql`select member_name from plan_seats(${plan}) where ended_at is null order by 1`),
    ).toEqual([...['Mum', 'Nina', 'Olivia']])
    expect(await columnOf(olivia.sql`select end_reason from plan_seats(${plan})`)).toEqual(['handed-over'])
    expect(await events(nina)).toContain('plan-handed-over')
    expect(await events(marc)).toContain('plan-is-yours')
    expect(await events(olivia)).toContain('plan-no-longer-yours')
    await expectRefusal(olivia.sql`select propose_shares(${plan}, 1200)`, { code: '42501' })
  })

  test.each<[string, (table: Group) => Promise<unknown>, string?]>([
    ['is declined', ({ marc, plan }) => marc.sql`select decline_plan(${plan})`, 'plan-offer-declined'],
    ['is withdrawn', ({ olivia, plan }) => olivia.sql`select withdraw_plan_offer(${plan})`],
    [
      'loses its member',
      ({ marc }) => marc.sql`delete from subscription_members where user_id = ${marc.id}`,
      'handover-off',
    ],
    [
      'has a member who leaves',
      ({ marc }) => marc.sql`select leave_seat(id) from my_seats()`,
      'handover-off',
    ],
    ['meets a block', ({ marc, nina }) => marc.sql`select block_person(${nina.id})`, 'handover-off'],
    ['meets the owner’s block', ({ olivia, marc }) => marc.sql`select block_person(${olivia.id})`],
    [
      'meets a ban',
      ({ marc }) =>
        sql`update auth.users set banned_until = now() + interval '99 years' where id = ${marc.id}`,
    ],
    [
      'meets a new price',
      ({ olivia, plan }) => olivia.sql`select propose_shares(${plan}, 1200)`,
      'handover-off',
    ],
    [
      'meets a problem',
      ({ nina }) => nina.sql`select report_problem(id, 'sign-in') from my_seats()`,
      'handover-off',
    ],
  ])('that %s changes nothing', async (_, happens, tells) => {
    const table = await agreed()
    await happens(table)
    await reach('2027-02-10')
    expect(await ownerOf(table.plan)).toBe(table.olivia.id)
    expect(await sql`select from private.plan_offers where subscription_id = ${table.plan}`).toEqual([])
    if (tells) expect(await events(table.olivia)).toContain(tells)
  })

  test('goes with the plan, and with either account', async () => {
    const one = await agreed()
    await one.olivia.sql`delete from shared_subscriptions where id = ${one.plan}`
    const two = await agreed()
    await two.marc.sql`select delete_own_account()`
    const three = await agreed()
    await three.olivia.sql`select delete_own_account()`
    expect(await sql`select from private.plan_offers`).toEqual([])
  })

  test('is refused for a plan or a person that cannot have it', async () => {
    const { olivia, marc, nina, plan, secret, offer, accept } = await group()
    const to = (id: string) => olivia.sql`select offer_plan(${plan}, ${id})`
    const MEMBER = rule('Only a person with an account and a place in the plan can take it over.')
    const guest = await single(olivia.sql`select person_id from plan_guests(${plan})`)
    await expectRefusal(to(guest), MEMBER)
    await expectRefusal(to(olivia.id), MEMBER)
    const mum = await addPerson(db, 'Mum')
    await mum.sql`select claim_place(${secret})`
    await expectRefusal(to(mum.id), MEMBER)
    await nina.sql`select leave_seat(id) from my_seats()`
    await expectRefusal(
      to(nina.id),
      rule('This place is about to end, so the plan can’t be handed over to it.'),
    )
    await nina.sql`select block_person(${marc.id})`
    await expectRefusal(offer(), NOT_POSSIBLE)
    await nina.sql`select unblock_person(${marc.id})`
    const problem = await single(mum.sql`select report_problem(id, 'sign-in') from my_seats()`)
    await expectRefusal(
      offer(),
      rule('A problem or dispute is open in this plan. It can be handed over once that is closed.'),
    )
    await mum.sql`select drop_problem(${problem})`
    await offer()
    await marc.sql`delete from payment_wishes where user_id = ${marc.id}`
    await expectRefusal(
      accept(),
      rule('First say how you are paid, in Account Settings. Members will pay you.'),
    )
    await sayHowPaid(marc)

    // A plan of the catalogue: listed, without access, and one of a provider that the member shares too.
    const listed =
      await single(olivia.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment)
      values ('netflix-premium', 4, ${today}::date + 30) returning id`)
    await expectRefusal(
      olivia.sql`select offer_plan(${listed}, ${marc.id})`,
      rule('Only a private plan that is paid directly can be handed over.'),
    )
    await olivia.sql`update shared_subscriptions set is_private = true where id = ${listed}`
    await join(marc, listed, olivia)
    await expectRefusal(
      olivia.sql`select offer_plan(${listed}, ${marc.id})`,
      rule('Somebody in this plan still waits for access. It can be handed over once they have it.'),
    )
    await storeEntry(db, { id: listed, owner: olivia })
    await olivia.sql`select offer_plan(${listed}, ${marc.id})`
    await marc.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment)
      values ('netflix-premium', 4, ${today}::date + 30)`
    await expectRefusal(
      marc.sql`select accept_plan(${listed})`,
      rule('You share another plan of this provider. End that one first.'),
    )
  })
})

describe('what is owed', () => {
  // By hand: 1000 yen among four are 250 each. January is Olivia's: Marc, Mum and Nina owe her 250 each, and Nina has paid. From February on
  // Mum, Nina and Olivia owe Marc 250 each, and 250 stay with him.
  test('over three months in yen stays with the owner of each period', async () => {
    const { olivia, marc, nina, plan, offer, accept } = await group()
    await nina.sql`select say_paid(${await payment(nina, olivia)})`
    await olivia.sql`select confirm_payment(${await payment(nina, olivia)})`
    await offer()
    await accept()
    await reach('2027-03-10')
    expect(await debts(plan)).toEqual([
      ...[
        'Marc Olivia 250 2027-01-10 due',
        'Mum Olivia 250 2027-01-10 due',
        'Nina Olivia 250 2027-01-10 paid',
      ],
      ...['Mum Marc 250 2027-02-10 due', 'Nina Marc 250 2027-02-10 due', 'Olivia Marc 250 2027-02-10 due'],
      ...['Mum Marc 250 2027-03-10 due', 'Nina Marc 250 2027-03-10 due', 'Olivia Marc 250 2027-03-10 due'],
    ])
    // Marc's place has ended, and he still owes January: it is denied, paid and confirmed as any payment.
    const january = await payment(marc, olivia)
    await marc.sql`select say_paid(${january})`
    await olivia.sql`select deny_payment(${january}, 'Nothing came')`
    expect((await debts(plan))[0]).toBe('Marc Olivia 250 2027-01-10 due')
    await olivia.sql`select confirm_payment(${january})`
    expect(await columnOf(olivia.sql`select owner_name from member_payments where id = ${january}`)).toEqual([
      'Olivia',
    ])
    // The new owner neither reads nor settles what is Olivia's, and cannot end a place over it.
    const mums = await single(
      sql`select id from member_payments where status = 'due' and owner_id = ${olivia.id}`,
    )
    await expectRefusal(marc.sql`select confirm_payment(${mums})`, { code: 'PT404' })
    expect(await marc.sql`select from member_payments where id = ${mums}`).toEqual([])
    await olivia.sql`select nudge_payment(${mums})`
    await expectRefusal(olivia.sql`select remind_guest(${mums})`, { code: '23514' })
    await olivia.sql`select waive_payment(${mums})`
    expect(await sql`select * from private.check_books()`).toEqual([])
  })

  // By hand: 100.00 a year among four are 25.00 each. From 20 December to 15 January are 26 of 365 days: 1.78 each, to Olivia. From then on
  // Mum, Nina and Olivia owe Marc 25.00 each for the year, and 25.00 stay with him.
  test('over three months in euros a year stays with the owner of each period', async () => {
    const { plan } = await agreed({
      ...{ price: '100.00', months: '12', currency: 'EUR', day: '2026-12-20', starts: '2027-01-15' },
    })
    await reach('2027-03-20')
    expect(await debts(plan)).toEqual([
      ...[
        'Marc Olivia 1.78 2026-12-20 due',
        'Mum Olivia 1.78 2026-12-20 due',
        'Nina Olivia 1.78 2026-12-20 due',
      ],
      ...['Mum Marc 25 2027-01-15 due', 'Nina Marc 25 2027-01-15 due', 'Olivia Marc 25 2027-01-15 due'],
    ])
  })

  test('at once leaves the running cycle with the earlier owner, who is free in it', async () => {
    const { olivia, marc, nina, plan, offer, accept } = await group()
    await reach('2027-01-20')
    await offer(true)
    await accept(true)
    expect(await ownerOf(plan)).toBe(marc.id)
    await reach('2027-02-10')
    expect(await debts(plan)).toEqual([
      ...[
        'Marc Olivia 250 2027-01-10 due',
        'Mum Olivia 250 2027-01-10 due',
        'Nina Olivia 250 2027-01-10 due',
      ],
      'Olivia Marc 0 2027-01-20 paid',
      ...['Mum Marc 250 2027-02-10 due', 'Nina Marc 250 2027-02-10 due', 'Olivia Marc 250 2027-02-10 due'],
    ])
    // What Nina owes Olivia outlives her place in Marc's plan, and makes it neither late nor ready to be ended by him.
    await marc.sql`select say_paid(${await payment(marc, olivia)})`
    expect(
      await columnOf(marc.sql`select status from plan_seats(${plan}) where member_name = 'Nina'`),
    ).toEqual(['active'])
    const [seat] = await columnOf(marc.sql`select id from plan_seats(${plan}) where member_name = 'Nina'`)
    await expectRefusal(marc.sql`select end_late_seat(${seat})`, rule('No payment is 14 days late'))
    await nina.sql`delete from subscription_members where user_id = ${nina.id}`
    expect(await debts(plan)).toContain('Nina Olivia 250 2027-01-10 due')
  })

  test('is not made by the new owner for the earlier one', async () => {
    const { olivia, marc, nina, plan, offer, accept } = await group()
    const paid = await payment(nina, olivia)
    await olivia.sql`select confirm_payment(${paid})`
    await reach('2027-01-12')
    await offer(true)
    await accept(true)
    await expectRefusal(
      marc.sql`delete from subscription_members where user_id = ${nina.id}`,
      rule(
        'This person pays the plan’s earlier owner for the current period. End the place with its period instead.',
      ),
    )
    const [seat] = await columnOf(marc.sql`select id from plan_seats(${plan}) where member_name = 'Nina'`)
    await marc.sql`select end_seat_with_period(${seat})`
    await reach('2027-02-10')
    expect(await single(sql`select owed_back from member_payments where id = ${paid}`)).toBe('0.00')
  })

  test('by the earlier owner stays theirs', async () => {
    const { olivia, marc, nina, plan, offer, accept } = await group()
    const paid = await payment(nina, olivia)
    await olivia.sql`select confirm_payment(${paid})`
    const problem = await single(nina.sql`select report_problem(id, 'sign-in') from my_seats()`)
    await reach('2027-01-11')
    await olivia.sql`select say_fixed(${problem})`
    await nina.sql`select answer_fix(${problem}, true)`
    await reach('2027-01-13')
    await offer()
    await accept()
    await reach('2027-02-10')
    const owed = Number(await single(sql`select owed_back from member_payments where id = ${paid}`))
    expect(owed).toBeGreaterThan(0)
    expect(
      await columnOf(marc.sql`select owed_back from plan_seats(${plan}) where member_name = 'Nina'`),
    ).toEqual(['0.00'])
    await expectRefusal(marc.sql`select say_repaid(${paid})`, { code: 'PT404' })
    await olivia.sql`select say_repaid(${paid})`
    await nina.sql`select settle_owed(id) from my_seats() where owed_back > 0`
    expect(await single(sql`select repaid_at is not null from member_payments where id = ${paid}`)).toBe(true)
  })

  test('divides as before: who is carried stays so, and nobody else pays more', async () => {
    const { olivia, marc, nina, plan, offer, accept } = await group()
    const seats = await olivia.sql<{
      id: string
      member_name: string
    }>`select id, member_name from plan_seats(${plan})`
    const [marcs, ninas, mums] = ['Marc', 'Nina', 'Mum'].map(
      (name) => seats.find((s) => s.member_name === name)?.id,
    )
    const parts = {
      [`${marcs}`]: { part: 200 },
      [`${ninas}`]: { part: 300 },
      [`${mums}`]: { part: 150, carriedBy: marcs },
    }
    await olivia.sql`select propose_shares(${plan}, 1000, 'amount', ${JSON.stringify(parts)}::jsonb)`
    for (const person of [marc, nina])
      await person.sql`select answer_terms(id, true) from term_proposals where answered_at is null`
    await offer()
    await accept()
    await reach('2027-02-10')
    expect(
      await marc.sql`select member_name, share, part, carried_by from plan_seats(${plan}) where ended_at is null order by 1`,
    ).toEqual([
      { member_name: 'Mum', share: '0.00', part: '150.00', carried_by: null },
      { member_name: 'Nina', share: '300.00', part: '300.00', carried_by: null },
      { member_name: 'Olivia', share: '200.00', part: '200.00', carried_by: null },
    ])
  })
})

describe('what goes with the plan', () => {
  test('is its people; login, links, invitations and requests end, and chats are archived', async () => {
    const { olivia, marc, nina, plan, secret, offer, accept } = await group()
    await storeEntry(db, { id: plan, owner: olivia })
    await openEntry(nina, { id: plan })
    const chat = await single(nina.sql`select find_or_create_conversation(${plan}, ${olivia.id}, ${nina.id})`)
    await offer(true)
    await accept(true)
    expect(await sql`select from private.vault_entries where subscription_id = ${plan}`).toEqual([])
    expect(await sql`select from private.vault_keys where subscription_id = ${plan}`).toEqual([])
    await expectRefusal(VISITOR.sql`select my_place(${secret})`, notFound('This link doesn’t work'))
    const [guest] = await marc.sql<{ person_id: string }>`select person_id from plan_guests(${plan})`
    await expectRefusal(olivia.sql`select renew_place_link(${guest?.person_id})`, { code: 'PT404' })
    const fresh = await single(marc.sql`select renew_place_link(${guest?.person_id})`)
    expect(await single(VISITOR.sql`select my_place(${fresh})`)).toMatchObject({
      owner: 'Marc',
      payments: [{ status: 'due', payable: true, earlier: { name: 'Olivia', wish: { note: 'Cash' } } }],
    })
    // Whoever has payments of a guest still reads the name on them.
    expect(await columnOf(olivia.sql`select display_name from user_profiles where is_guest`)).toEqual(['Mum'])
    expect(await single(nina.sql`select archived from conversations where id = ${chat}`)).toBe(true)
    expect(await marc.sql`select from fetch_archived_requests(${plan})`).toEqual([])
    expect((await storeEntry(db, { id: plan, owner: marc })).version).toBe(2)
    expect(await single(nina.sql`select get_vault_entry(${plan}) -> 'opened'`)).toBe(false)
    expect(await events(nina)).toContain('plan-handed-over')
  })

  test('and not the words, addresses and money of the earlier owner', async () => {
    const { olivia, marc, nina, plan, secret, offer, accept } = await group()
    await sql`insert into public.subscription_invitations (subscription_id, email, invited_by, token_hash, declined_at)
      values (${plan}, 'someone@home.example', ${olivia.id}, 'hash', now())`
    const [guest] = await olivia.sql<{ person_id: string }>`select person_id from plan_guests(${plan})`
    await olivia.sql`select note_to_guest(${guest?.person_id}, 'Between you and me')`
    await olivia.sql`select confirm_payment(${await payment(nina, olivia)})`
    await offer(true)
    await accept(true)
    expect(
      await marc.sql`select email from subscription_invitations where subscription_id = ${plan}`,
    ).toEqual([])
    const link = await single(marc.sql`select renew_place_link(${guest?.person_id})`)
    const copy = await single<object>(VISITOR.sql`select place_export(${link})`)
    expect(JSON.stringify([copy, await single(VISITOR.sql`select my_place(${link})`)])).not.toContain(
      'Between you',
    )
    await expectRefusal(VISITOR.sql`select my_place(${secret})`, { code: 'PT404' })
    await expectRefusal(
      marc.sql`delete from shared_subscriptions where id = ${plan}`,
      rule(
        'Members pay the plan’s earlier owner for the current period. You can cancel the plan once that is over.',
      ),
    )
    await expectRefusal(marc.sql`delete from subscription_members where user_id = ${olivia.id}`, {
      code: '23514',
    })
    await reach('2027-02-10')
    await marc.sql`delete from shared_subscriptions where id = ${plan}`
  })

  test('unless guests have reported its owner', async () => {
    const { olivia, marc, plan } = await group()
    await sql`insert into public.cases (kind, person_id, by_guest, body)
      select 'person', ${olivia.id}::uuid, true, 'Nobody we know' from generate_series(1, 3)`
    await expectRefusal(olivia.sql`select offer_plan(${plan}, ${marc.id})`, NOT_POSSIBLE)
  })

  test('is free for the earlier owner until the cycle is over that they have paid, in any time zone', async () => {
    const { olivia, plan, offer, accept } = await group()
    await reach('2027-01-20')
    await sql`insert into private.time_zones (user_id, zone) values (${olivia.id}, 'America/New_York')
      on conflict (user_id) do update set zone = excluded.zone`
    await offer(true)
    await accept(true)
    await reach('2027-02-15')
    expect((await debts(plan)).filter((line) => line.startsWith('Olivia'))).toEqual([
      ...['Olivia Marc 0 2027-01-20 paid', 'Olivia Marc 250 2027-02-10 due'],
    ])
  })

  test('can be handed back, and gives no standing that was not paid for', async () => {
    const { olivia, marc, nina, plan, offer, accept } = await group()
    const before = await Promise.all([olivia, marc, nina].map(facts))
    const chat = await single(nina.sql`select find_or_create_conversation(${plan}, ${olivia.id}, ${nina.id})`)
    await offer(true)
    await accept(true)
    await marc.sql`select offer_plan(${plan}, ${olivia.id}, true)`
    await olivia.sql`select accept_plan(${plan}, true)`
    expect(await ownerOf(plan)).toBe(olivia.id)
    expect(await single(nina.sql`select archived from conversations where id = ${chat}`)).toBe(false)
    await reach('2027-02-10')
    expect((await debts(plan)).filter((line) => line.includes('2027-02-10'))).toEqual([
      ...[
        'Marc Olivia 250 2027-02-10 due',
        'Mum Olivia 250 2027-02-10 due',
        'Nina Olivia 250 2027-02-10 due',
      ],
    ])
    expect(await Promise.all([olivia, marc, nina].map(facts))).toEqual(before)
  })
})

describe('a plan of the catalogue', () => {
  // By hand: the plan renews on 10 March, and Nina's months begin on the 1st. She has paid March to Olivia, so from 10 March on Marc has the
  // plan and Olivia pays him from her day, while Nina pays him from 1 April on.
  test('leaves the months that have begun, and the standing for them, with the earlier owner', async () => {
    await reach('2027-02-01')
    const [olivia, marc, nina] = [
      await addPerson(db, 'Olivia'),
      await addPerson(db, 'Marc'),
      await addPerson(db, 'Nina'),
    ] as const
    for (const person of [olivia, marc]) await sayHowPaid(person)
    const plan =
      await single(olivia.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, is_private)
      values ('netflix-premium', 4, '2027-03-10', true) returning id`)
    await storeEntry(db, { id: plan, owner: olivia })
    for (const person of [marc, nina]) await join(person, plan, olivia)
    await marc.sql`select declare_seller(false)`
    const settle = async (owner: Person, from: string) => {
      const id = await single(
        sql`select id from member_payments where member_id = ${nina.id} and starts_at::date = ${from}`,
      )
      await nina.sql`select say_paid(${id})`
      await owner.sql`select confirm_payment(${id})`
    }
    await settle(olivia, '2027-02-01')
    await olivia.sql`select offer_plan(${plan}, ${marc.id})`
    await marc.sql`select accept_plan(${plan})`
    await reach('2027-03-02')
    await settle(olivia, '2027-03-01')
    await reach('2027-03-11')
    expect(await ownerOf(plan)).toBe(marc.id)
    await reach('2027-04-02')
    expect(await debts(plan)).toEqual([
      ...['Marc Olivia 5 2027-02-01 due', 'Nina Olivia 5 2027-02-01 paid'],
      ...['Marc Olivia 5 2027-03-01 due', 'Nina Olivia 5 2027-03-01 paid'],
      ...['Olivia Marc 5 2027-03-10 due', 'Nina Marc 5 2027-04-01 due'],
    ])
    // February and March from just after noon on, in whole hours.
    const given = async (person: Person) => (await facts(person))[0]
    expect(await given(marc)).toBe(0)
    expect(await given(olivia)).toBe(59 * 24 - 13)
    await settle(marc, '2027-04-01')
    await reach('2027-04-04')
    expect([await given(marc), await given(olivia)]).toEqual([84, 59 * 24 - 13])
    expect(await sql`select * from private.check_books()`).toEqual([])
  })
})

describe('at the same moment', () => {
  const soundly = async ({ plan, olivia }: Group) => {
    const [row] =
      await sql`select owner_id, current_members = (select count(*) from subscription_members where subscription_id = p.id) as counts,
      (select user_id from subscription_members where subscription_id = p.id and is_owner) = owner_id
        and not exists (select from private.seats where subscription_id = p.id and ended_at is null
          and (member_id = p.owner_id or owner_id <> p.owner_id)) as sound
      from shared_subscriptions as p where id = ${plan}`
    expect(row).toMatchObject({ counts: true, sound: true })
    return row?.owner_id === olivia.id
  }
  test('a member accepts and leaves, or a guest’s place is claimed', async () => {
    const table = await group()
    const { marc, offer, accept, secret } = table
    const dora = await addPerson(db, 'Dora')
    await offer(true)
    await race([
      () => accept(true),
      () => marc.sql`delete from subscription_members where user_id = ${marc.id}`,
      () => dora.sql`select claim_place(${secret})`,
    ])
    await soundly(table)
  })
  test('two offers are one, and acceptance meets withdrawal', async () => {
    const table = await group()
    const { olivia, nina, plan, offer, accept } = table
    await sayHowPaid(nina)
    await race([() => offer(), () => olivia.sql`select offer_plan(${plan}, ${nina.id})`])
    expect(await sql`select from private.plan_offers where subscription_id = ${plan}`).toHaveLength(1)
    await race([() => accept(), () => olivia.sql`select withdraw_plan_offer(${plan})`])
    await soundly(table)
  })
})
