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
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, notFound, rule, single } from '../answers.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { sayHowPaid } from '../plans.ts'

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
    await expectRefusal(
      olivia.sql`select renew_place_link(${mum})`,
      notFound('This person has no place here'),
    )
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
