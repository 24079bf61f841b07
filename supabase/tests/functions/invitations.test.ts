// Keeping a place for somebody by e-mail: who may, and what they get.
import { describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import {
  addPerson,
  DENIED,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
  taken,
} from '../people.ts'
import { ask, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const { invite, mailTo, invited, accept, decline, withdraw, look, passDays } = invitationsIn(db)
const membersOf = async ({ id }: SharedPlan) =>
  (await sql`select current_members from shared_subscriptions where id = ${id}`)[0]?.current_members
const toldOf = (person: Person) =>
  sql`select type, title, message from user_notifications where user_id = ${person.id} and title like 'Invitation%'`

describe('inviting', () => {
  test('stores the invitation for 7 days and mails the link, of which only a hash is kept', async () => {
    const { olivia, plan } = await setTheTable(db)
    const id = await invite(plan, '  Nina.New@Example.com ')
    const { subject, html, token } = await mailTo('nina.new@example.com')
    expect(subject).toBe('Olivia invites you to share Netflix Premium')
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(html).toContain(`{{ .SiteURL }}/invitation/${token}`)
    expect(html).toContain('€5.00 a month, paid to Olivia directly, without a fee')
    const [row] =
      await sql`select email, subscription_id, invited_by, mail_status, expires_at - created_at = interval '7 days' as a_week,
         token_hash = encode(sha256(convert_to(${token}, 'UTF8')), 'hex') as hashed from subscription_invitations where id = ${id}`
    expect(row).toEqual({
      email: 'nina.new@example.com',
      subscription_id: plan.id,
      invited_by: olivia.id,
      mail_status: 'waiting',
      a_week: true,
      hashed: true,
    })
  })

  test('writes neither invitation nor mail when it is refused', async () => {
    const { olivia, plan } = await setTheTable(db)
    const work = db.transaction(async (tx) => {
      await tx.query(`select set_config('request.jwt.claims', $1, true)`, [olivia.caller.claims])
      await tx.query('select public.invite_member($1, $2)', [plan.id, 'undone@example.com'])
      throw new Error('undone')
    })
    await expect(work).rejects.toThrow('undone')
    expect((await mailTo('undone@example.com')).html).toBeUndefined()
    expect(await sql`select 1 from subscription_invitations where subscription_id = ${plan.id}`).toEqual([])
  })

  test('refuses oneself and whoever is a member, in any case of letters', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    expect(await refusalOf(invite(plan, olivia.email.toUpperCase()))).toEqual(
      rule('You cannot invite yourself'),
    )
    expect(await refusalOf(invite(plan, marc.email.toUpperCase()))).toEqual(taken('Already a Member'))
  })

  test('refuses for a plan that is not active', async () => {
    const { plan } = await setTheTable(db)
    await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
    expect(await refusalOf(invite(plan, 'nina@example.com'))).toEqual(
      rule('This plan is not open to new members'),
    )
  })

  test('sends ten an hour at most', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await sharePlan(db, olivia)
    for (let sent = 0; sent < 10; sent += 1) await invite(plan, 'again@example.com')
    expect(await refusalOf(invite(plan, 'again@example.com'))).toMatchObject({ code: 'PT429' })
  })

  test('sending again replaces the link and the mail, and keeps one place', async () => {
    const { plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    const first = await invited(plan, nina)
    await passDays(first.id, 3)
    const second = await invited(plan, nina)
    expect(second.token).not.toBe(first.token)
    const mails = await sql`select 1 from private.outgoing_mail where recipient = ${nina.email}`
    expect(mails).toHaveLength(1)
    expect(await refusalOf(accept(nina, first.token))).toEqual(
      rule('This invitation has already been withdrawn'),
    )
    await accept(nina, second.token)
    expect(await membersOf(plan)).toBe(3)
  })
})

describe('the link', () => {
  const peek = (token: string) => VISITOR.sql`select * from get_invitation(${token})`

  test('tells a visitor what its mail says while the invitation is open, and then only how it ended', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const { id, token } = await invited(plan, zoe)
    expect(await peek(token)).toMatchObject([
      {
        ...{ status: 'open', email: zoe.email, owner_name: 'Olivia', provider: 'Netflix', name: 'Premium' },
        ...{ member_price: '5.00', currency: 'EUR', billing_cycle: 'monthly', settlement: 'direct' },
      },
    ])
    await withdraw(olivia, id)
    const [over] = await peek(token)
    const { status, expires_at, ...rest } = over ?? {}
    expect([status, Object.values(rest).every((value) => value === null)]).toEqual(['withdrawn', true])
    for (const unknown of ['guess', token.slice(1), ''])
      expect(await refusalOf(peek(unknown))).toEqual(notFound('Invitation not found'))
  })

  test('lets a visitor answer nothing', async () => {
    const { zoe, plan } = await setTheTable(db)
    const { token } = await invited(plan, zoe)
    for (const answer of ['accept_invitation', 'decline_invitation'])
      expect(await refusalOf(VISITOR.run(`select ${answer}($1)`, [token]))).toMatchObject(DENIED)
  })
})

describe('answering', () => {
  test('shows the invited person the plan and makes them a member, without any coins', async () => {
    const { olivia, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    const { token } = await invited(plan, nina)
    expect(await look(nina, token)).toEqual([
      { status: 'open', provider: 'Netflix', name: 'Premium', member_price: '5.00', owner_name: 'Olivia' },
    ])
    expect(await accept(nina, token)).toEqual([{ accept_invitation: plan.id }])
    expect(await membersOf(plan)).toBe(3)
    expect(await nina.sql`select name from subscription_members where user_id = ${nina.id}`).toEqual([
      { name: 'Nina' },
    ])
    expect(await toldOf(olivia)).toEqual([
      { type: 'success', title: 'Invitation Accepted', message: 'Nina has joined Netflix Premium.' },
    ])
    expect(await sql`select 1 from coin_transactions where user_id = ${olivia.id}`).toEqual([])
    for (const again of [accept, decline])
      expect(await refusalOf(again(nina, token))).toEqual(rule('This invitation has already been accepted'))
  })

  test('answers the request of the same person', async () => {
    const { zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    await accept(zoe, (await invited(plan, zoe)).token)
    expect(await sql`select status from subscription_requests where id = ${request}`).toEqual([
      { status: 'approved' },
    ])
  })

  test('is for the invited address alone, whoever holds the link', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const { id, token } = await invited(plan, zoe)
    for (const who of [marc, olivia])
      for (const attempt of [look, accept, decline])
        expect(await refusalOf(attempt(who, token))).toEqual(
          denied('This invitation was sent to another e-mail address'),
        )
    await sql`update auth.users set email_confirmed_at = null where id = ${zoe.id}`
    expect(await refusalOf(accept(zoe, token))).toMatchObject(DENIED)
    expect(await refusalOf(withdraw(marc, id))).toEqual(notFound('Invitation not found'))
    for (const who of [marc, olivia, zoe])
      for (const guess of ['guess', id])
        expect(await refusalOf(look(who, guess))).toEqual(notFound('Invitation not found'))
  })

  test('works for an address that had no account when it was invited', async () => {
    const { plan } = await setTheTable(db)
    await invite(plan, 'Fresh@Example.com')
    const { token } = await mailTo('fresh@example.com')
    const fresh = await addPerson(db, 'Fresh')
    await sql`update auth.users set email = 'fresh@example.com' where id = ${fresh.id}`
    await accept(fresh, token)
    expect(await membersOf(plan)).toBe(3)
  })

  test('is refused once the plan is not active', async () => {
    const { zoe, plan } = await setTheTable(db)
    const { token } = await invited(plan, zoe)
    await sql`update shared_subscriptions set status = 'rejected' where id = ${plan.id}`
    expect(await refusalOf(accept(zoe, token))).toMatchObject({
      message: 'This plan is not open to new members',
    })
    await decline(zoe, token)
  })
})

describe('who sees invitations', () => {
  test('owners whom they invited, people their own, and never the token', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await invite(plan, zoe.email)
    await invite(plan, 'other@example.com')
    const emails = (person: Person) => person.sql`select email from subscription_invitations order by email`
    expect(await emails(olivia)).toEqual([{ email: 'other@example.com' }, { email: zoe.email }])
    expect(await emails(zoe)).toEqual([{ email: zoe.email }])
    expect(await emails(marc)).toEqual([])
    expect(await refusalOf(VISITOR.sql`select email from subscription_invitations`)).toMatchObject(DENIED)
    const token = 'select token_hash from subscription_invitations'
    expect(await refusalOf(olivia.run(token))).toMatchObject(DENIED)
    for (const write of [
      `update subscription_invitations set accepted_at = now()`,
      `delete from subscription_invitations`,
      `insert into subscription_invitations (subscription_id, email, invited_by, token_hash) values ('x', 'a@b.de', gen_random_uuid(), 'h')`,
    ])
      expect(await refusalOf(olivia.run(write)), write).toMatchObject(DENIED)
  })

  test('the owner sees how the mail fares', async () => {
    const { olivia, plan } = await setTheTable(db)
    await invite(plan, 'nina@example.com')
    const settle = async (error: string | null) => {
      await sql`update private.outgoing_mail set attempts = attempts + 1 where recipient = 'nina@example.com'`
      await sql`select private.settle_mail(id, attempts, ${error}, false) from private.outgoing_mail where recipient = 'nina@example.com' and sent_at is null`
      return olivia.sql`select mail_status from subscription_invitations`
    }
    expect(await settle('451 later')).toEqual([{ mail_status: 'delayed' }])
    expect(await settle(null)).toEqual([{ mail_status: 'sent' }])
    await sql`delete from private.outgoing_mail where recipient = 'nina@example.com'`
  })
})

test('an address has one invitation to a plan that is not over', async () => {
  const { olivia, plan } = await setTheTable(db)
  const insert = (email: string, hash: string) =>
    sql`insert into subscription_invitations (subscription_id, email, invited_by, token_hash) values (${plan.id}, ${email}, ${olivia.id}, ${hash})`
  await insert('nina@example.com', 'a')
  expect(await refusalOf(insert('nina@example.com', 'b'))).toMatchObject({ code: '23505' })
  expect(await refusalOf(insert('Nina@Example.com', 'c'))).toMatchObject({ code: '23514' })
})
