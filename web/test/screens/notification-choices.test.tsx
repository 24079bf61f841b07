import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { ask, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

/** Ten minutes later: the mails of the last ten minutes go out. */
const wait = () =>
  server.db.transaction(async (tx) => {
    await tx.query('update private.outgoing_mail set next_attempt_at = clock_timestamp()')
    await tx.query(`select pg_notify('outgoing_mail', '')`)
  })
const mailsToOlivia = async () =>
  (await server.outbox()).filter(
    ({ to, subject }) => to === people.olivia.email && /would like to join/.test(subject),
  )
const mailed = async () => {
  const { data } = await people.olivia.client.rpc('get_notification_choices').throwOnError()
  const choices: { topic: string; mail: boolean }[] = data
  return Object.fromEntries(choices.map(({ topic, mail }) => [topic, mail]))
}
const wants = async () => (await people.olivia.client.rpc('get_mail_preference').throwOnError()).data
/** Zoe asks, Olivia is away; gives the link that ends such mails. */
async function mailedLink(): Promise<string> {
  await ask(people.zoe, planId)
  await wait()
  const [mail] = await waitFor(async () => {
    const mails = await mailsToOlivia()
    expect(mails).toHaveLength(1)
    return mails
  })
  expect(mail?.text).toContain(`Answer the request ${server.url}/manage-shared/${planId}`)
  return /Stop these e-mails http\S+?(\/unsubscribe\/[0-9a-f]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

describe('mail to somebody who is away', () => {
  it('ends with one click on the link in it, signed out, and begins again with another', async () => {
    const link = await mailedLink()
    await openApp(server, link)
    expect(await screen.findByRole('heading', { level: 1, name: 'No more e-mails' })).toBeTruthy()
    expect(await wants()).toBe(false)
    await ask(people.marc, planId)
    await wait()
    await userEvent.click(screen.getByRole('button', { name: 'Send them again' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'You get these e-mails again' })).toBeTruthy()
    expect(await wants()).toBe(true)
    expect(await mailsToOlivia()).toHaveLength(1)
  })

  it('says so when the link was sent to nobody', async () => {
    await openApp(server, `/unsubscribe/${'0'.repeat(64)}`)
    expect(await screen.findByRole('heading', { level: 1, name: 'This link is not known' })).toBeTruthy()
    const main = within(screen.getByRole('main'))
    expect(main.getByRole('link', { name: 'Go to Account Settings' })).toBeTruthy()
  })

  it('is chosen by topic in the account settings, beside the app that has everything', async () => {
    await openApp(server, '/account-settings', { as: people.olivia })
    const card = within(await screen.findByRole('region', { name: 'Notifications' }))
    const row = within(await card.findByRole('row', { name: /^Requests and places/ }))
    expect(row.getByText('Always')).toBeTruthy()
    const box = row.getByRole<HTMLInputElement>('checkbox', { name: 'Requests and places: E-mail' })
    expect(box.checked).toBe(true)
    await userEvent.click(box)
    await waitFor(async () => expect([box.checked, (await mailed()).places]).toEqual([false, false]))
    expect(await mailed()).toEqual({ messages: true, places: false, money: true, access: true, team: true })
    await ask(people.zoe, planId)
    await wait()
    box.focus()
    await userEvent.keyboard(' ')
    await waitFor(async () => expect([box.checked, (await mailed()).places]).toEqual([true, true]))
    expect(await mailsToOlivia()).toEqual([])
  })
})
