// Guests: people without an account, whose link is the key to one place. What each side may do, and what a stranger gains with or without a
// link.
//
// | who                              | does                                  | result                                              |
// |----------------------------------|---------------------------------------|-----------------------------------------------------|
// | owner                            | adds somebody by name                 | a place, and a link that is shown once               |
// | owner of a listed or paid plan   | adds somebody                         | refused, from both sides                            |
// | another owner                    | renews or reminds                     | refused as unknown                                  |
// | guest                            | opens, pays, accepts, leaves          | as a member, for this place alone                   |
// | guest who is silent              |                                       | keeps the place; may be ended after 14 days         |
// | guest who was removed            | opens the link                        | sees what is owed, for 30 days                      |
// | guest who wants to be forgotten  | deletes the name                      | place, links and name are gone; receipts stay       |
// | who guesses, or has an old link  | opens                                 | the same refusal for unknown, replaced and ended    |
// | who was forwarded the link       | opens                                 | is that person, until the owner renews it           |
// | preview, scanner                 | fetches the page                      | nothing is called before a press                    |
// | stranger with an account         | looks the guest up                    | finds nothing                                       |
// | owner who plays the guest        | pays, reviews                         | no standing, reviews, savings                       |
// | guest with an account            | claims the place                      | it is theirs with all payments; the links end       |
// | two who claim at once            | claim                                 | one gets it, the other finds an unknown link        |
// | who stole the link               | claims                                | no login before the owner says yes; taken back      |
// | owner, blocked person, member    | claims                                | refused                                             |
// | who claimed and left, or wrote   | is no longer there when owner says no | place, payments and chat are theirs no more         |
// | owner with an open claim         | lists the plan, or takes cards        | refused                                             |
// | owner who deletes the account    |                                       | guests' names and links go at once                  |
// | guest whose payment was denied   | says again how they paid              | staff decide                                        |
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, notFound, rule, single } from '../answers.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { ask, sayHowPaid } from '../plans.ts'
import { storeEntry } from '../vault-entries.ts'

const { db, sql, VISITOR } = await ownDatabase()
const UNKNOWN = notFound('This link doesn’t work')

let olivia: Person
let plan = ''
/** Shares a private plan of Spotify's, which is paid directly. */
const sharePrivately = (owner: Person) =>
  single(owner.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, is_private)
    values ('spotify-premium-family', 4, current_date + 30, true) returning id`)
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  olivia = await addPerson(db, 'Olivia Miller')
  await sayHowPaid(olivia)
  plan = await sharePrivately(olivia)
})

const add = (name: string, to = plan, as: Person = olivia) => single(as.sql`select add_guest(${to}, ${name})`)
interface Place {
  name: string
  owner: string
  share: number
  endedAt: string | null
  owedBack: number
  wish: object | null
  terms: { id: string } | null
  payments: { id: string; status: string; payable: boolean; reference: string; receipt: string | null }[]
}
const place = (secret: string) => single<Place>(VISITOR.sql`select my_place(${secret})`)
const guestOf = (owner: Person) =>
  single(owner.sql`select person_id from plan_guests(${plan}) order by 1 limit 1`)
const wait = async (time: string) => {
  await sql`update private.clock set ahead = ahead + ${time}::interval`
  while (Number(await single(sql`select private.run_due_work()`)) > 0);
}

describe('adding', () => {
  test('takes a name alone, and gives a link of which only a hash is stored', async () => {
    const secret = await add('  Mum   and Dad ')
    expect(secret).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/)
    expect(await sql`select from private.place_links where hash = ${secret}`).toEqual([])
    expect(await place(secret)).toMatchObject({
      name: 'Mum and Dad',
      owner: 'Olivia',
      share: 3.67,
      endedAt: null,
    })
    expect(await olivia.sql`select name, email from subscription_members where not is_owner`).toEqual([
      { name: 'Mum and Dad', email: '' },
    ])
    expect(await olivia.sql`select member_name, is_guest, status from plan_seats(${plan})`).toEqual([
      { member_name: 'Mum and Dad', is_guest: true, status: 'active' },
    ])
    expect(
      await single(olivia.sql`select current_members from shared_subscriptions where id = ${plan}`),
    ).toBe(2)
  })

  test('is refused where strangers come, where cards pay, and where there is no place', async () => {
    const PRIVATE = rule('Only a private plan that is paid directly can have people without an account.')
    const zoe = await addPerson(db, 'Zoe')
    await expectRefusal(add('Mum', plan, zoe), { code: '42501' })
    await expectRefusal(add(' '), { code: '23514' })
    await expectRefusal(add('Potluck Support'), { code: '23514' })
    await olivia.sql`update shared_subscriptions set is_private = false where id = ${plan}`
    await expectRefusal(add('Mum'), PRIVATE)
    await olivia.sql`update shared_subscriptions set is_private = true where id = ${plan}`
    for (const name of ['Ann', 'Ben', 'Cleo']) await add(name)
    await expectRefusal(add('Dora'), rule('Subscription Full'))
    await olivia.sql`delete from payment_wishes where user_id = ${olivia.id}`
    await expectRefusal(add('Dora'), { code: '23514' })
  })

  test('keeps the plan private and paid directly', async () => {
    await add('Mum')
    const STAYS = rule('People without an account are in this plan, so it stays private and paid directly.')
    await expectRefusal(
      olivia.sql`update shared_subscriptions set is_private = false where id = ${plan}`,
      STAYS,
    )
    await expectRefusal(
      db.query(`update public.shared_subscriptions set settlement = 'potluck' where id = '${plan}'`),
      STAYS,
    )
  })
})

describe('a link', () => {
  test('opens the place of one person, counts it, and works on every device', async () => {
    const secret = await add('Mum')
    const other = await add('Dad')
    await place(secret)
    // A reload does not count, a later visit does.
    await place(secret)
    await wait('11 minutes')
    await place(secret)
    expect((await place(other)).name).toBe('Dad')
    expect(await columnOf(olivia.sql`select opened from plan_guests(${plan}) order by opened`)).toEqual([
      1, 2,
    ])
    // Whoever has the link is that person in this call alone.
    expect(await VISITOR.sql`select auth.uid() as me`).toEqual([{ me: null }])
  })

  test('is refused alike when it is unknown, replaced or over', async () => {
    const secret = await add('Mum')
    const zoe = await addPerson(db, 'Zoe')
    const mum = await guestOf(olivia)
    await expectRefusal(zoe.sql`select renew_place_link(${mum})`, notFound('This person has no place here'))
    const renewed = await single(olivia.sql`select renew_place_link(${mum})`)
    for (const wrong of [secret, '', 'x'.repeat(32), mum]) await expectRefusal(place(wrong), UNKNOWN)
    expect((await place(renewed)).name).toBe('Mum')
    await olivia.sql`delete from subscription_members where user_id = ${mum}`
    expect((await place(renewed)).endedAt).not.toBeNull()
    await wait('30 days 1 hour')
    await expectRefusal(place(renewed), UNKNOWN)
  })

  test('does nothing for the places of others', async () => {
    const [mum, dad] = [await add('Mum'), await add('Dad')]
    const theirs = (await place(dad)).payments[0]?.id ?? ''
    await expectRefusal(VISITOR.sql`select place_said_paid(${mum}, ${theirs})`, { code: 'PT404' })
    await expectRefusal(VISITOR.sql`select place_answered_terms(${mum}, ${theirs}, true)`, { code: 'PT404' })
    expect((await place(dad)).payments[0]?.status).toBe('due')
  })
})

describe('a guest', () => {
  test('pays like a member: says so, is confirmed, and sees the receipt', async () => {
    const secret = await add('Mum')
    const [due] = (await place(secret)).payments
    expect(due).toMatchObject({
      status: 'due',
      payable: true,
      reference: expect.stringMatching(/^PL-/) as unknown as string,
    })
    expect((await place(secret)).wish).toMatchObject({ kind: 'text', note: 'Cash' })
    await VISITOR.sql`select place_said_paid(${secret}, ${due?.id})`
    expect(
      await columnOf(olivia.sql`select message from user_notifications where event = 'member-says-paid'`),
    ).toEqual([expect.stringContaining('Mum')])
    await olivia.sql`select confirm_payment(${due?.id})`
    expect((await place(secret)).payments[0]).toMatchObject({
      status: 'paid',
      receipt: expect.stringMatching(/^D\d{4}-/) as unknown as string,
    })
    // The next month falls due, and is paid in cash.
    await wait('32 days')
    const next = (await place(secret)).payments[0]
    expect(next).toMatchObject({ status: 'due', payable: true })
    await olivia.sql`select confirm_payment(${next?.id})`
    expect((await place(secret)).payments[0]?.status).toBe('paid')
  })

  test('answers a new share', async () => {
    const own = await single(olivia.sql`insert into shared_subscriptions
      (provider, name, total_price, cycle_months, max_members, next_payment)
      values ('Kagi', 'Family', 12, 1, 4, current_date + 1) returning id`)
    const secret = await add('Mum', own)
    await olivia.sql`select propose_shares(${own}, 20)`
    const { terms } = await place(secret)
    await VISITOR.sql`select place_answered_terms(${secret}, ${terms?.id}, true)`
    expect(await place(secret)).toMatchObject({ share: 5, terms: null })
  })

  test('leaves, and the owner is told; what was used stays due', async () => {
    const secret = await add('Mum')
    await wait('3 days')
    await VISITOR.sql`select place_leaves(${secret})`
    expect(
      await columnOf(olivia.sql`select event from user_notifications where event = 'member-left'`),
    ).toHaveLength(1)
    const left = await place(secret)
    expect(left.endedAt).not.toBeNull()
    expect(left.payments[0]).toMatchObject({ status: 'due', payable: true })
    await expectRefusal(VISITOR.sql`select place_leaves(${secret})`, { code: 'PT404' })
    await VISITOR.sql`select place_said_paid(${secret}, ${left.payments[0]?.id})`
    expect((await place(secret)).payments[0]?.status).toBe('claimed')
  })

  test('who was removed sees what is owed', async () => {
    const secret = await add('Mum')
    const [due] = (await place(secret)).payments
    await olivia.sql`select confirm_payment(${due?.id})`
    await wait('10 days')
    await olivia.sql`delete from subscription_members where user_id = ${await guestOf(olivia)}`
    expect((await place(secret)).owedBack).toBeGreaterThan(2)
  })

  test('who is silent keeps the place, and may be ended after 14 days', async () => {
    await add('Mum')
    await wait('13 days')
    const [seat] = await olivia.sql<{
      id: string
      status: string
    }>`select id, status from plan_seats(${plan})`
    expect(seat?.status).toBe('late')
    await expectRefusal(olivia.run('select end_late_seat($1)', [String(seat?.id)]), { code: '23514' })
    await wait('2 days')
    await olivia.run('select end_late_seat($1)', [String(seat?.id)])
    expect(await olivia.sql`select person_id from plan_guests(${plan})`).toEqual([])
  })

  test('is forgotten: at once when they say so, else 13 months after the place has ended', async () => {
    const [mum, dad] = [await add('Mum'), await add('Dad')]
    const paid = (await place(mum)).payments[0]?.id
    await olivia.sql`select confirm_payment(${paid})`
    await VISITOR.sql`select place_forgets(${mum})`
    await expectRefusal(place(mum), UNKNOWN)
    const names = () =>
      columnOf(
        sql`select display_name from private.user_profiles where guest_of = ${olivia.id} order by display_name`,
      )
    expect(await names()).toEqual(['Dad', 'Former guest'])
    expect(await single(olivia.sql`select member_name from member_payments where id = ${paid}`)).toBe('Mum')
    await VISITOR.sql`select place_leaves(${dad})`
    await sql`update private.clock set ahead = ahead + '12 months'`
    await sql`select private.run_housekeeping()`
    expect(await names()).toEqual(['Dad', 'Former guest'])
    await sql`update private.clock set ahead = ahead + '2 months'`
    await sql`select private.run_housekeeping()`
    expect(await names()).toEqual(['Former guest', 'Former guest'])
  })
})

test('a reminder is a link of its own, once a day, that the owner passes on', async () => {
  const secret = await add('Mum')
  const due = (await place(secret)).payments[0]?.id
  const zoe = await addPerson(db, 'Zoe')
  await expectRefusal(zoe.sql`select remind_guest(${due})`, { code: 'PT404' })
  const reminder = await single(olivia.sql`select remind_guest(${due})`)
  expect((await place(reminder)).name).toBe('Mum')
  await expectRefusal(olivia.sql`select remind_guest(${due})`, { code: '23514' })
  await wait('46 days')
  await expectRefusal(place(reminder), UNKNOWN)
  expect((await place(secret)).name).toBe('Mum')
})

test('nobody else finds a guest, and nothing of them counts for anybody', async () => {
  const secret = await add('Mum')
  const zoe = await addPerson(db, 'Zoe')
  const mum = await guestOf(olivia)
  const seen = (who: Person) => who.sql`select display_name from user_profiles where user_id = ${mum}`
  expect(await seen(zoe)).toEqual([])
  expect(await seen(olivia)).toEqual([{ display_name: 'Mum' }])
  const due = (await place(secret)).payments[0]?.id
  await VISITOR.sql`select place_said_paid(${secret}, ${due})`
  await olivia.sql`select confirm_payment(${due})`
  await wait('25 days')
  expect(await zoe.run('select hours_given, paid_on_time from standing_of($1)', [`{${olivia.id}}`])).toEqual([
    { hours_given: 0, paid_on_time: 0 },
  ])
  expect(await olivia.sql`select seat_id from reviews_to_write()`).toEqual([])
  const home = await single<{ saved: object }>(olivia.sql`select my_home()`)
  expect(home.saved).toEqual({ joined: 0, shared: 0 })
})

test('while the owner is suspended, the page shows no way to pay', async () => {
  const secret = await add('Mum')
  await sql`update auth.users set banned_until = now() + interval '10 years' where id = ${olivia.id}`
  await sql`select private.run_due_work()`
  expect(await place(secret)).toMatchObject({ wish: null, paused: true })
})

describe('claiming', () => {
  const claim = (who: Person, secret: string) => who.sql`select claim_place(${secret})`
  const seat = async () =>
    (
      await olivia.sql<{ id: string; claimed_name: string | null; is_guest: boolean }>`
        select id, claimed_name, is_guest from plan_seats(${plan}) where ended_at is null`
    )[0]
  const answer = async (isThem: boolean, who = olivia) =>
    single(who.sql`select answer_place_claim(${String((await seat())?.id)}, ${isThem})`)
  /** Whether somebody may open the login, as the vault asks. */
  const mayGetIn = async (who: Person) =>
    (await who.sql`select version from list_vault_versions(${plan})`).length > 0

  test('gives an account the place with all that names the guest, once', async () => {
    const secret = await add('Mum')
    const mum = await guestOf(olivia)
    const due = (await place(secret)).payments[0]?.id
    await VISITOR.sql`select place_said_paid(${secret}, ${due})`
    const [zoe, nora] = [await addPerson(db, 'Zoe'), await addPerson(db, 'Nora')]
    const outcomes = await Promise.allSettled([claim(zoe, secret), claim(nora, secret)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const winner = outcomes[0]?.status === 'fulfilled' ? zoe : nora
    for (const other of [zoe, nora]) await expectRefusal(claim(other, secret), UNKNOWN)
    await expectRefusal(place(secret), UNKNOWN)
    expect(await winner.sql`select status from member_payments`).toEqual([{ status: 'claimed' }])
    expect(await winner.sql`select subscription_id from my_seats()`).toEqual([{ subscription_id: plan }])
    await olivia.sql`select confirm_payment(${due})`
    // Nothing names the guest any more: every column that refers to a person is asked.
    const columns = await sql<{ relation: string; name: string }>`
      select k.conrelid::regclass::text as relation, a.attname as name from pg_constraint as k
      join pg_attribute as a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      where k.contype = 'f' and k.confrelid = 'private.user_profiles'::regclass`
    expect(columns.length).toBeGreaterThan(30)
    for (const { relation, name } of columns)
      expect(
        await db.query(`select 1 as found from ${relation} where ${name} = '${mum}'`),
        `${relation}.${name}`,
      ).toEqual([])
    expect(
      await sql`select display_name, deleted_at is not null as gone from private.user_profiles where user_id = ${mum}`,
    ).toEqual([{ display_name: 'Former guest', gone: true }])
  })

  test('opens no login before the owner says that it is the same person', async () => {
    await storeEntry(db, { id: plan, owner: olivia })
    const zoe = await addPerson(db, 'Zoe')
    await claim(zoe, await add('Mum'))
    expect(await seat()).toMatchObject({ claimed_name: 'Mum', is_guest: false })
    expect(await mayGetIn(zoe)).toBe(false)
    await expectRefusal(answer(true, zoe), { code: 'PT404' })
    expect(await answer(true)).toBeNull()
    expect(await seat()).toMatchObject({ claimed_name: null })
    expect(await mayGetIn(zoe)).toBe(true)
    await expectRefusal(answer(false), { code: '23514' })
  })

  test('is undone for 30 days: the place is a guest’s again, with its payments and a new link', async () => {
    const secret = await add('Mum')
    const paid = (await place(secret)).payments[0]?.id
    await VISITOR.sql`select place_said_paid(${secret}, ${paid})`
    const zoe = await addPerson(db, 'Zoe')
    await claim(zoe, secret)
    const renewed = await answer(false)
    expect(await place(renewed)).toMatchObject({ name: 'Mum', payments: [{ id: paid, status: 'claimed' }] })
    expect(await zoe.sql`select id from member_payments`).toEqual([])
    expect(await zoe.sql`select id from my_seats()`).toEqual([])
    await claim(zoe, renewed)
    await wait('31 days')
    await expectRefusal(answer(false), rule('There is nothing to answer about this place'))
    expect(await answer(true)).toBeNull()
  })

  test('gives nothing of the owner’s before they say so, and all of it back when they say no', async () => {
    const secret = await add('Mum')
    const zoe = await addPerson(db, 'Zoe')
    const due = (await place(secret)).payments[0]?.id
    // Facts are counted, of the guest as of the account.
    await sql`select private.refresh_facts(1000)`
    await claim(zoe, secret)
    const id = String((await seat())?.id)
    const toSite = olivia.sql`update shared_subscriptions set is_private = false where id = ${plan}`
    await expectRefusal(toSite, { code: '23514' })
    await expectRefusal(olivia.sql`select announce_to_members(${plan}, 'The login is new')`, {
      code: '23514',
    })
    const chat = await single(zoe.sql`select find_or_create_conversation(${plan}, ${olivia.id}, ${zoe.id})`)
    await zoe.sql`select leave_seat(${id}, true)`
    const renewed = await single(olivia.sql`select answer_place_claim(${id}, false)`)
    expect(await zoe.sql`select archived from conversations where id = ${chat}`).toEqual([{ archived: true }])
    expect(await zoe.sql`select id from member_payments`).toEqual([])
    expect((await place(renewed)).payments[0]?.id).toBe(due)
    expect((await place(renewed)).endedAt).not.toBeNull()
    await wait('31 days')
    await expectRefusal(place(renewed), UNKNOWN)
  })

  test('is refused to the owner, a member, whom the owner has blocked, and of a place that has ended', async () => {
    const secret = await add('Mum')
    const [zoe, nora] = [await addPerson(db, 'Zoe'), await addPerson(db, 'Nora')]
    await expectRefusal(claim(olivia, secret), { code: '23514' })
    await claim(nora, await add('Nora'))
    await expectRefusal(claim(nora, secret), { code: '23505' })
    await olivia.sql`select block_person(${zoe.id})`
    await expectRefusal(claim(zoe, secret), UNKNOWN)
    await VISITOR.sql`select place_leaves(${secret})`
    await expectRefusal(claim(await addPerson(db, 'Ida'), secret), { code: 'PT404' })
  })
})

test('a denied payment can be said again with a word on how, which staff decide', async () => {
  const secret = await add('Mum')
  const due = (await place(secret)).payments[0]?.id
  await VISITOR.sql`select place_said_paid(${secret}, ${due})`
  await olivia.sql`select deny_payment(${due}, 'Nothing came')`
  await expectRefusal(VISITOR.sql`select place_said_paid(${secret}, ${due})`, { code: '23514' })
  await VISITOR.sql`select place_said_paid(${secret}, ${due}, 'In cash on Sunday')`
  // This site has no staff, so it counts for neither side at once.
  expect(
    await sql`select status, note from payment_claims where payment_id = ${due} order by made_at`,
  ).toEqual([
    { status: 'denied', note: null },
    { status: 'undecided', note: 'In cash on Sunday' },
  ])
})

test('an owner’s guests are forgotten with the account', async () => {
  const secret = await add('Mum')
  const mum = await guestOf(olivia)
  await expectRefusal(olivia.sql`select find_or_create_conversation(${plan}, ${olivia.id}, ${mum})`, {
    code: '42501',
  })
  await olivia.sql`select delete_own_account()`
  expect(await columnOf(sql`select display_name from private.user_profiles where user_id = ${mum}`)).toEqual([
    'Former guest',
  ])
  await expectRefusal(place(secret), UNKNOWN)
})

test('one press reminds everybody of what is due, once a day', async () => {
  const secrets = [await add('Mum'), await add('Dad')]
  const zoe = await addPerson(db, 'Zoe')
  await zoe.sql`select open_plan_link(${await single(olivia.sql`select get_plan_link(${plan})`)})`
  const request = await ask(db, zoe, { id: plan, owner: olivia })
  await olivia.sql`select approve_subscription_request(${request}, ${plan})`
  const remind = (who = olivia) =>
    who.sql<{ payment_id: string; secret: string | null }>`select payment_id, secret from remind_all(${plan})`
  expect(await remind(zoe)).toEqual([])
  const reminded = await remind()
  expect(reminded).toHaveLength(3)
  const links = reminded.flatMap(({ secret }) => secret ?? [])
  expect((await Promise.all(links.map(place))).map(({ name }) => name).sort()).toEqual(['Dad', 'Mum'])
  expect(await zoe.sql`select event from user_notifications where event = 'payment-nudge'`).toHaveLength(1)
  expect(await remind()).toEqual([])
  // A month later two payments of each guest are due: they get one link. Whoever has not paid for a first month has no second.
  await wait('35 days')
  const later = await remind()
  expect(later).toHaveLength(5)
  expect(later.filter(({ secret }) => secret)).toHaveLength(2)
  expect((await place(secrets[0] ?? '')).payments).toHaveLength(2)
})
