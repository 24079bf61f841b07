// The devices on which a person is notified, from when and until when.
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, notFound, rule, single } from '../answers.ts'
import { type Asker, addPeople, addPerson, calling, ownDatabase, type Person } from '../people.ts'

const { db, sql } = await ownDatabase()
beforeEach(async () => {
  await sql`delete from private.outgoing_pushes`
})

interface Device extends Asker {
  id: string
  endpoint: string
  person: Person
  add(endpoint?: string): Promise<unknown>
}

const P256DH = `B${'a'.repeat(86)}`
const AUTH = 'a'.repeat(22)

/** Signs in on another device. */
async function signIn(person: Person): Promise<Device> {
  const id = await single(sql`insert into auth.sessions (user_id, amr, user_agent)
    values (${person.id}, '[]', 'A browser') returning id`)
  const claims = JSON.stringify({ ...JSON.parse(person.caller.claims), session_id: id })
  const asker = calling(db, { role: 'authenticated', claims })
  const own = `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`
  const add = (endpoint = own) => asker.sql`select add_push_device(${endpoint}, ${P256DH}, ${AUTH})`
  return { ...asker, id, endpoint: own, person, add }
}
async function device(person: Person): Promise<Device> {
  const one = await signIn(person)
  await one.add()
  return one
}
const tell = (person: Person, event: string | null = null) =>
  single(sql`insert into user_notifications (user_id, type, title, message, event)
    values (${person.id}, 'info', 'Told', 'Something happened', ${event}) returning id`)
type Due = Record<'about' | 'session_id', string> & { attempt: number }
const take = () => sql<Due>`select * from private.lease_due_pushes(100)`
const settle = ({ about, session_id, attempt }: Due, error: string | null, outcome: string) =>
  sql`select private.settle_push(${about}, ${session_id}, ${attempt}, ${error}, ${outcome})`
const waiting = () =>
  columnOf<number>(sql`select round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::int
    from private.outgoing_pushes`)
const listed = (one: Device) => one.sql`select id, is_current from my_push_devices()`
/** The recorded outcome for a device. */
const reached = ({ id }: Device) =>
  sql`select last_error, last_success_at is not null as told from private.push_devices where session_id = ${id}`

describe('a notification', () => {
  test('goes at once to each device of whom it is for, and to nobody else', async () => {
    const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
    const [first, second] = [await device(olivia), await device(olivia)]
    await device(zoe)
    await sql`update user_profiles set language = 'de' where user_id = ${olivia.id}`
    const id = await tell(olivia, 'first-month')
    const told = {
      ...{ title: 'Told', message: 'Something happened', path: `/notifications/${id}` },
      ...{ event: 'first-month', params: {}, language: 'de', time_zone: 'UTC' },
    }
    const due = ({ id: session_id, endpoint }: Device) => ({
      ...{ about: id, session_id, attempt: 1, endpoint, p256dh: P256DH, auth: AUTH, ...told },
    })
    const taken = await take()
    expect(taken).toHaveLength(2)
    expect(taken).toEqual(expect.arrayContaining([due(first), due(second)]))
    expect(await take()).toEqual([])
  })

  test('is not sent where its person does not want its topic on devices, nor once it is read', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await device(olivia)
    await olivia.sql`select choose_notifications('money', 'push', false)`
    await tell(olivia, 'payment-due')
    expect(await take()).toEqual([])
    await tell(olivia, 'problem-fixed')
    await olivia.sql`select mark_notifications_as_read(${olivia.id})`
    expect([await take(), await waiting()]).toEqual([[], []])
  })

  test('is not sent to a device where its person is no longer signed in, or that was removed', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const [ended, removed, banned] = [await device(olivia), await device(olivia), await device(olivia)]
    await tell(olivia)
    await sql`delete from auth.sessions where id = ${ended.id}`
    await removed.sql`select remove_push_device(${removed.id})`
    expect(await take()).toMatchObject([{ session_id: banned.id }])
    await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${olivia.id}`
    await tell(olivia)
    expect([await take(), await listed(banned)]).toEqual([[], []])
    await sql`select private.run_housekeeping()`
    const kept = sql`select session_id from private.push_devices where user_id = ${olivia.id}`
    expect(await columnOf(kept)).toEqual([banned.id])
  })

  test('is tried again when the push service is down, later each time, and given up in the end', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const one = await device(olivia)
    await tell(olivia)
    const pauses: number[] = []
    for (let [due] = await take(); due; [due] = await take()) {
      await settle(due, '503 Down', 'again')
      pauses.push(...(await waiting()))
      await sql`update private.outgoing_pushes set next_attempt_at = clock_timestamp()`
    }
    expect(pauses).toEqual([1, 4, 16, 64])
    expect(await listed(one)).toHaveLength(1)
    expect(await reached(one)).toEqual([{ last_error: '503 Down', told: false }])
    await tell(olivia)
    const [due] = await take()
    if (due) await settle(due, null, 'sent')
    expect(await reached(one)).toEqual([{ last_error: null, told: true }])
    expect(await waiting()).toEqual([])
  })

  test('takes the device away that the push service does not know any more', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const [gone, other] = [await device(olivia), await device(olivia)]
    await tell(olivia)
    for (const due of await take())
      await (due.session_id === gone.id ? settle(due, '410 Gone', 'gone') : settle(due, null, 'sent'))
    expect(await listed(gone)).toEqual([{ id: other.id, is_current: false }])
    expect(await waiting()).toEqual([])
  })
})

describe('a device', () => {
  test('is one of a known push service, by https, and of nothing else', async () => {
    const good = [
      'https://fcm.googleapis.com/wp/abc:DEF-_',
      'https://updates.push.services.mozilla.com/wpush/v2/x',
      'https://wns2-par02p.notify.windows.com/w/?token=x%3d',
      'https://web.push.apple.com/QGx',
    ]
    const bad = [
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com.evil.example/x',
      'https://fcm.googleapis.com:8443/x',
      'https://me@fcm.googleapis.com/x',
      'https://evil.example/https://fcm.googleapis.com/x',
      'https://evilpush.apple.com/x',
      'https://127.0.0.1/x',
      'https://fcm.googleapis.com/x y',
      'https://fcm.googleapis.com/',
      `https://fcm.googleapis.com/${'x'.repeat(1000)}`,
    ]
    const known = sql`select one from jsonb_array_elements_text(${JSON.stringify([...good, ...bad])}) as one
      where private.is_push_endpoint(one)`
    expect(await columnOf(known)).toEqual(good)
  })

  test('is refused with an address that is not known, or with keys that are none', async () => {
    const one = await signIn(await addPerson(db, 'Olivia'))
    const unknown = rule('We don’t support this browser’s notifications')
    await expectRefusal(one.add('https://127.0.0.1/x'), unknown)
    for (const [key, auth] of [
      ['short', AUTH],
      [P256DH, 'short'],
    ])
      await expectRefusal(one.sql`select add_push_device(${one.endpoint}, ${key}, ${auth})`, {
        code: '23514',
      })
  })

  test('belongs to whoever is signed in there now', async () => {
    const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
    const before = await device(olivia)
    const now = await signIn(zoe)
    await now.add(before.endpoint)
    expect([await listed(before), await listed(now)]).toEqual([[], [{ id: now.id, is_current: true }]])
    await tell(olivia)
    expect(await take()).toEqual([])
    await now.add()
    expect(await listed(now)).toHaveLength(1)
    await expectRefusal(before.sql`select remove_push_device(${now.id})`, notFound('Device not found'))
  })

  test('is one of at most ten, which may be asked for ten times an hour', async () => {
    const olivia = await addPerson(db, 'Olivia')
    for (let left = 10; left > 0; left--) await device(olivia)
    const one = await signIn(olivia)
    await expectRefusal(one.add(), { code: 'PT429' })
    await sql`delete from private.rate_limit_usage where user_id = ${olivia.id}`
    await expectRefusal(one.add(), rule('You can get notifications on up to 10 devices. Remove one first.'))
    await one.sql`select remove_push_device(${await single(listed(one))})`
    await one.add()
    expect(await listed(one)).toHaveLength(10)
  })

  test('is exported without what it is reached by, and goes with the account', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const one = await device(olivia)
    expect(await single(one.sql`select export_own_data() -> 'push_devices'`)).toEqual([
      {
        ...{ id: one.id, user_agent: 'A browser', created_at: expect.any(String) },
        ...{ last_tried_at: null, last_success_at: null, has_failed: false },
      },
    ])
    await olivia.sql`select delete_own_account()`
    expect(await sql`select from private.push_devices where user_id = ${olivia.id}`).toEqual([])
  })

  test('is one where somebody is signed in', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const add = olivia.sql`select add_push_device('https://fcm.googleapis.com/x', ${P256DH}, ${AUTH})`
    await expectRefusal(add, { code: 'PT401' })
    await expectRefusal(olivia.sql`select test_push()`, rule('Turn on notifications on a device first'))
  })
})
