// A plan with the maximum number of people and the longest names: nothing overflows, and everything is readable.
import { expect } from '@playwright/test'
import { look, lookAt } from './look.ts'
import { call, mailTo, type Session, sessionOf } from './people.ts'
import type { Potluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

const OWNER = 'maximiliane.charlotte.von-hohenstein-wittgenstein@a-rather-long-domain.example'
const INVITED = 'invited@potluck.example'
const OWNER_NAME = 'Maximiliane-Charlotte Alexandra von Hohenstein-Wittgenstein zu Sayn'
const NAMES = [
  'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren',
  'Ana María de los Ángeles Fernández-Villaverde y Gutiérrez de la Concha',
  'Bo',
  'Nguyễn Thị Ngọc Phương Anh',
  'Þórunn Guðmundsdóttir',
  'محمد عبد الرحمن الأنصاري',
  '渡辺さくら',
  'Aleksandra Brzęczyszczykiewicz-Kowalska',
  'Jean-Baptiste Emmanuel Ndongala wa Kasongo',
  'Li Wei',
  'Oluwaseun Adébáyọ̀ Ọlátúndé',
]
const LONG_MESSAGE =
  'Hello! We have been neighbours for years and I think our children go to the same school. I would use it on two phones and on a tablet, mostly in the evening, and I always pay on the first of the month. '.repeat(
    2,
  )

test('a full plan of twelve with long names is fit to be shown', async ({ open, potluck }) => {
  const invitation = await gatherCrowd(potluck)
  const { page } = await open({ as: OWNER })
  await lookAt(page, { 'crowd-shared': '/my-subscriptions' })
  await page.getByRole('link', { name: /^ExpressVPN/ }).click()
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(10)
  await look(page, 'crowd-owner-view')
  await page.getByRole('button', { name: /^Messages/ }).click()
  await look(page, 'crowd-inbox')
  await page.getByRole('dialog').getByRole('button').first().click()
  await expect(page.getByLabel(/^Message /)).toBeVisible()
  await look(page, 'crowd-chat')
  await page.keyboard.press('Escape')
  await page.setViewportSize(WIDTHS.phone)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await look(page, 'crowd-side-menu', { sizes: ['phone'] })

  const visitor = await open()
  await visitor.page.goto(invitation)
  await expect(visitor.page.getByText(INVITED)).toBeVisible()
  await look(visitor.page, 'invitation-signed-out')
  expect(visitor.complaints).toEqual([])

  const invited = await open({ as: INVITED })
  await invited.page.goto(page.url())
  await expect(invited.page.getByRole('button', { name: /^Request to join/ })).toBeVisible()
  await look(invited.page, 'plan-offer')
  await invited.page.goto(invitation)
  await expect(invited.page.getByRole('heading', { name: 'You’re invited' })).toBeVisible()
  await look(invited.page, 'invitation')
  expect(invited.complaints).toEqual([])
  await lookAt(invited.page, { 'invitation-unknown': '/invitation/some-token' })
  // The browser itself logs the 404.
  expect(invited.complaints.splice(0)).toEqual([expect.stringContaining('404')])
})

/**
 * Creates, through the API, a plan for twelve people whose last place is reserved for an invitation. Returns the
 * invitation's URL.
 */
async function gatherCrowd(potluck: Potluck): Promise<string> {
  const ask = <Answer>(as: Session, path: string, body: object) =>
    call<Answer>(potluck, `/rest/v1/${path}`, body, { as })
  const arrive = async (email: string, display_name: string) => {
    const as = await sessionOf(potluck, email)
    const own = `/rest/v1/user_profiles?user_id=eq.${as.user.id}&select=user_id`
    await call(potluck, own, { display_name }, { as, method: 'PATCH' })
    return as
  }
  const owner = await arrive(OWNER, OWNER_NAME)
  await ask(owner, 'rpc/declare_seller', { p_is_trader: false })
  await ask(owner, 'rpc/confirm_age', {})
  const [plan] = await ask<[{ id: string }]>(owner, 'shared_subscriptions?select=id', {
    catalogue_plan_id: 'expressvpn-advanced-2-year',
    owner_max_members: 12,
    next_payment: new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10),
  })
  await ask(owner, 'payment_wishes', { kind: 'text', note: 'Cash' })
  for (const [index, name] of NAMES.entries()) {
    const person = await arrive(`crowd-${index}@potluck.example`, name)
    const [request] = await ask<[{ id: string }]>(person, 'subscription_requests?select=id', {
      subscription_id: plan.id,
      message: index === 0 ? LONG_MESSAGE : 'May I?',
    })
    // The first request is not answered, since the last place is reserved for the invitation.
    if (index === 0) continue
    const approval = { p_request_id: request.id, p_subscription_id: plan.id }
    await ask(owner, 'rpc/approve_subscription_request', approval)
    if (index > 1) continue
    const conversation_id = await ask(person, 'rpc/find_or_create_conversation', {
      p_subscription_id: plan.id,
      p_owner_id: owner.user.id,
      p_member_id: person.user.id,
    })
    await ask(person, 'messages', {
      conversation_id,
      sender_id: person.user.id,
      content: `Look: https://example.com/${'a-very-long-address-without-a-break/'.repeat(4)} — ${LONG_MESSAGE}`,
    })
  }
  await ask(owner, 'rpc/invite_member', { p_subscription_id: plan.id, p_email: INVITED })
  const address = /https?:\/\/\S+(\/invitation\/[^\s")]+)/
  await expect.poll(() => mailTo(potluck, INVITED)).toMatch(address)
  return address.exec(await mailTo(potluck, INVITED))?.[1] ?? ''
}
