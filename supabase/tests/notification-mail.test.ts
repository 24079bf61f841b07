// Mail for people who are away: which notifications, when, and how it ends.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../server/test/harness.ts'
import { addPerson, as, DENIED, notFound, type Person, refusalOf, VISITOR } from './people.ts'
import { approve, ask, setTheTable } from './plans.ts'

const db = await testDatabase()
beforeEach(async () => {
  await db.query('delete from private.outgoing_mail')
})

interface Waiting extends Record<string, unknown> {
  subject: string
  html: string
  minutes: number
  unsubscribe_path: string
}
const mailsTo = (person: Person) =>
  db.query<Waiting>(
    `select subject, html, unsubscribe_path,
       round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::float8 as minutes
     from private.outgoing_mail where recipient = $1 and sent_at is null order by created_at`,
    [person.email],
  )
const subjects = async (person: Person) => (await mailsTo(person)).map(({ subject }) => subject)
const reject = (owner: Person, request: string, planId: string) =>
  as(db, owner, 'select reject_subscription_request($1, $2)', [request, planId])
const age = (request: string, hours: number) =>
  db.query(`update subscription_requests set requested_at = now() - $2::interval where id = $1`, [
    request,
    `${hours} hours`,
  ])
/** As the server does every half minute. */
const passTime = () => db.query('select * from private.take_due_mails(0)')

describe('a mail to somebody who is away', () => {
  test('tells an owner of a request, ten minutes later, with the way to answer', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await db.query('delete from private.outgoing_mail')
    await ask(db, zoe, plan)
    const [mail, ...more] = await mailsTo(olivia)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ subject: 'Zoe would like to join Netflix Premium.', minutes: 10 })
    expect(mail?.html).toContain(`{{ .SiteURL }}/manage-shared/${plan.id}`)
    expect(mail?.html).toContain(`{{ .SiteURL }}${mail?.unsubscribe_path}`)
    expect(mail?.unsubscribe_path).toMatch(/^\/unsubscribe\/[0-9a-f]{64}$/)
  })

  test('tells a requester of the answer', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await approve(db, plan, await ask(db, zoe, plan))
    await reject(olivia, await ask(db, nina, plan), plan.id)
    const [approved] = await mailsTo(zoe)
    expect(approved?.subject).toBe('Your request to join Netflix Premium has been approved.')
    expect(approved?.html).toContain(`{{ .SiteURL }}/manage-subscribed/${plan.id}`)
    const [rejected] = await mailsTo(nina)
    expect(rejected?.subject).toBe('Your request to join Netflix Premium has been rejected.')
    expect(rejected?.html).toContain('{{ .SiteURL }}/available-subscriptions')
  })

  test('is not sent when it was read meanwhile', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan)
    await as(db, olivia, 'select mark_notifications_as_read($1)', [olivia.id])
    expect(await subjects(olivia)).toEqual([])
  })

  test('is not sent when the request was answered or cancelled meanwhile', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await reject(olivia, await ask(db, zoe, plan), plan.id)
    const second = await ask(db, nina, plan)
    await as(db, nina, `update subscription_requests set status = 'cancelled' where id = $1`, [second])
    expect(await subjects(olivia)).toEqual([])
  })

  test('is not sent when the plan it leads to was cancelled meanwhile; one that leads elsewhere is', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await approve(db, plan, await ask(db, zoe, plan))
    await as(db, zoe, 'delete from subscription_members where user_id = $1', [zoe.id])
    await reject(olivia, await ask(db, nina, plan), plan.id)
    await as(db, olivia, 'delete from shared_subscriptions where id = $1', [plan.id])
    expect(await subjects(zoe)).toEqual([])
    expect(await subjects(nina)).toEqual(['Your request to join Netflix Premium has been rejected.'])
  })

  test('is not written to an account without an address, and stands in the way of nothing', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await db.query('delete from private.outgoing_mail')
    await db.query('update auth.users set email = null where id = $1', [olivia.id])
    const request = await ask(db, zoe, plan)
    await age(request, 43)
    await passTime()
    expect(await db.query('select recipient from private.outgoing_mail')).toEqual([])
    await approve(db, plan, request)
  })

  test('goes with the account it was for', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan)
    await db.query('delete from auth.users where id = $1', [olivia.id])
    expect(await subjects(olivia)).toEqual([])
  })
})

describe('a request about to expire', () => {
  test('its owner is told and mailed once, when 6 hours are left by the clock of the database', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    await db.query('delete from private.outgoing_mail')
    await age(request, 41.9)
    await passTime()
    expect(await subjects(olivia)).toEqual([])
    await age(request, 42)
    await passTime()
    await passTime()
    const sentence =
      'Zoe still waits for your answer about Netflix Premium. The request expires within 6 hours.'
    expect(await subjects(olivia)).toEqual([sentence])
    expect(
      await db.query(
        `select type, message from user_notifications where user_id = $1 and title = 'Request Expiring Soon'`,
        [olivia.id],
      ),
    ).toEqual([{ type: 'warning', message: sentence }])
  })

  test('nobody is reminded of one that is over, and one that expires calls its mail back', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    const expired = await ask(db, zoe, plan)
    await age(expired, 43)
    await passTime()
    await age(expired, 48)
    await passTime()
    expect((await subjects(olivia)).filter((subject) => subject.includes('still waits'))).toEqual([])
    const rejected = await ask(db, nina, plan)
    await age(rejected, 43)
    await reject(olivia, rejected, plan.id)
    await passTime()
    expect(await subjects(olivia)).toEqual([])
  })
})

describe('who wants no mail', () => {
  const preference = async (person: Person) => {
    const [row] = await as<{ on: boolean }>(db, person, 'select get_mail_preference() as on')
    return row?.on
  }
  const byLink = (who: Pick<Person, 'caller'>, token: string, on: boolean) =>
    as(db, who, 'select set_mail_preference_by_link($1, $2)', [token, String(on)])

  test('says so once, and what waits is called back', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan)
    expect(await preference(olivia)).toBe(true)
    await as(db, olivia, 'select set_mail_preference(false)')
    expect(await preference(olivia)).toBe(false)
    expect(await preference(marc)).toBe(true)
    expect(await subjects(olivia)).toEqual([])
    await ask(db, await addPerson(db, 'Nina'), plan)
    expect(await subjects(olivia)).toEqual([])
    await as(db, olivia, 'select set_mail_preference(true)')
    await ask(db, await addPerson(db, 'Omar'), plan)
    expect(await subjects(olivia)).toEqual(['Omar would like to join Netflix Premium.'])
  })

  test('may say so signed out, by the link of a mail, and take it back', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan)
    const [mail] = await mailsTo(olivia)
    const token = mail?.unsubscribe_path.split('/').at(-1) ?? ''
    await byLink(VISITOR, token, false)
    expect([await preference(olivia), await subjects(olivia)]).toEqual([false, []])
    await byLink(zoe, token, true)
    expect(await preference(olivia)).toBe(true)
    for (const wrong of ['', 'guess', token.slice(1)])
      expect(await refusalOf(byLink(VISITOR, wrong, false))).toEqual(notFound('This link is not known'))
  })

  test('cannot read or change what others want', async () => {
    const { zoe } = await setTheTable(db)
    for (const who of [zoe, VISITOR])
      for (const statement of [
        'select * from private.mail_preferences',
        'select * from private.expiry_reminders',
        'select private.tell_expiring_requests()',
        'select private.ensure_mail_preference(gen_random_uuid())',
      ])
        expect(await refusalOf(as(db, who, statement)), statement).toMatchObject(DENIED)
    for (const statement of ['select get_mail_preference()', 'select set_mail_preference(false)'])
      expect(await refusalOf(as(db, VISITOR, statement)), statement).toMatchObject(DENIED)
  })
})
