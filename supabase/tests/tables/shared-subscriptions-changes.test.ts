import { describe, expect, test } from 'vitest'
import { type Asker, addPerson, DENIED, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { ask, join, openChat, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

const setPlaces = (person: Asker, plan: SharedPlan, places: number) =>
  person.sql`update shared_subscriptions set owner_max_members = ${places} where id = ${plan.id} returning owner_max_members`
const seen = (person: Asker, plan: SharedPlan) =>
  person.sql`select id from shared_subscriptions where id = ${plan.id}`

/** The tables with a row in which one of these ids stands anywhere. */
const rowsNaming = async (ids: string[]): Promise<string[]> => {
  const tables = await sql<{
    name: string
  }>`select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'private') order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.query(`select 1 from ${name} as t where t::text ~ $1`, [ids.join('|')])
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('the places of a plan', () => {
  test('lie between the members who joined and the maximum of the provider', async () => {
    const { olivia, plan } = await setTheTable(db)
    await join(db, await addPerson(db, 'Nina'), plan)
    expect(await refusalOf(setPlaces(olivia, plan, 2))).toEqual(
      rule('Cannot set less than 3 members (already joined).'),
    )
    expect(await refusalOf(setPlaces(olivia, plan, 5))).toEqual(
      rule("Cannot exceed provider's maximum limit of 4 members."),
    )
    expect(await setPlaces(olivia, plan, 3)).toEqual([{ owner_max_members: 3 }])
    expect(await setPlaces(olivia, plan, 4)).toEqual([{ owner_max_members: 4 }])
  })

  test('the other is the renewal date, which cannot be over', async () => {
    const { olivia, plan } = await setTheTable(db)
    const move = (days: number) =>
      olivia.sql`update shared_subscriptions set next_payment = (now() at time zone 'Etc/GMT+12')::date + ${days}::int
         where id = ${plan.id} returning id`
    expect(await refusalOf(move(-1))).toMatchObject({ message: 'Renewal date cannot be in the past.' })
    expect(await move(0)).toHaveLength(1)
  })
})

describe('cancelling a plan', () => {
  const cancel = (person: Person, plan: SharedPlan) =>
    person.sql`delete from shared_subscriptions where id = ${plan.id} returning id`

  test('takes members and requests with it and tells the members', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    expect(await cancel(olivia, plan)).toEqual([{ id: plan.id }])
    expect(
      await sql`select (select count(*) from subscription_members where subscription_id = ${plan.id})
           + (select count(*) from subscription_requests where subscription_id = ${plan.id}) as rows`,
    ).toEqual([{ rows: 0 }])
    expect(await marc.sql`select title, message from user_notifications where type = ${'warning'}`).toEqual([
      { title: 'Subscription Cancelled', message: 'Netflix Premium has been cancelled by its owner.' },
    ])
  })

  test('leaves no row in any table that still names the plan or its chat, but what was paid', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan, 'May I?')
    const chat = await openChat(db, plan, marc)
    const say = `insert into messages (conversation_id, sender_id, content) values ($1, $2, 'Hello')`
    await marc.run(say, [chat, marc.id])
    await olivia.sql`insert into subscription_logins values (${plan.id}, 'us@olivia.example')`
    const named = await rowsNaming([plan.id, chat])
    expect(named).toEqual(
      expect.arrayContaining([
        'public.chat_participants',
        'public.conversations',
        'private.seats',
        'public.member_payments',
        'public.messages',
        'public.shared_subscriptions',
        'public.subscription_logins',
        'public.subscription_members',
        'public.subscription_requests',
        'public.user_notifications',
      ]),
    )
    await cancel(olivia, plan)
    // What was paid stays in the books, for the plan that it was.
    expect(await rowsNaming([plan.id, chat])).toEqual(['private.seats', 'public.member_payments'])
    const paid = 'select subscription_id, share from member_payments where member_id = $1'
    expect(await marc.run(paid, [marc.id])).toEqual([{ subscription_id: plan.id, share: '5.00' }])
  })
})

describe('who sees a plan', () => {
  test('everyone signed in while it is active, visitors never', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    for (const person of [olivia, marc, zoe]) expect(await seen(person, plan)).toHaveLength(1)
    expect(await refusalOf(seen(VISITOR, plan))).toMatchObject(DENIED)
  })

  test('while new plans are reviewed it is pending, for its owner and staff only', async () => {
    await sql`update app_settings set review_new_plans = true`
    const olivia = await addPerson(db, 'Olivia')
    const plan = await sharePlan(db, olivia)
    await sql`update app_settings set review_new_plans = false`
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addPerson(db, 'Mona')]
    await sql`insert into user_roles (user_id, role) values (${mona.id}, 'moderator')`
    expect(await seen(zoe, plan)).toEqual([])
    expect(await seen(olivia, plan)).toHaveLength(1)
    expect(await seen(mona, plan)).toHaveLength(1)
    const request = 'insert into subscription_requests (subscription_id) values ($1)'
    expect(await refusalOf(zoe.run(request, [plan.id]))).toMatchObject({
      message: 'Subscription not found',
    })
  })
})
