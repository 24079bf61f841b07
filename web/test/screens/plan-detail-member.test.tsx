import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { bootServer, openApp } from '../app.tsx'
import { ask, join, newPeople, type People, password, sharePlan } from '../sharing.ts'

const server = bootServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server())
  planId = await sharePlan(people.olivia)
})

const open = async (who: keyof People, address = `/manage-subscribed/${planId}`) => ({
  user: userEvent.setup(),
  ...(await openApp(server(), address, { as: { email: people[who].email, password } })),
})

describe('a member', () => {
  beforeEach(() => join(people.olivia, people.marc, planId))

  it('MEMB-01 MEMB-03 MEMB-04 MEMB-06 reads cost, next payment and owner, whatever the address says', async () => {
    await open('marc', `/manage-shared/${planId}`)
    await screen.findByRole('heading', { level: 1, name: 'Your Subscribed Plan' })
    const plan = within(screen.getByRole('region', { name: 'Your Subscribed Plan' }))
    for (const text of ['€5.50', '€19.99', 'Netflix Premium']) expect(plan.getByText(text)).toBeTruthy()
    const owner = within(screen.getByRole('region', { name: 'Plan Owner' }))
    expect(await owner.findByRole('button', { name: /^Chat with olivia/ })).toBeTruthy()
    const back = screen.getByRole('link', { name: 'Back to My Subscriptions' })
    expect(back.getAttribute('href')).toBe('/my-subscriptions?tab=subscribed')
  })

  it('PLAN-23 sees nothing that is the owner own', async () => {
    await open('marc')
    await screen.findByRole('heading', { level: 1, name: 'Your Subscribed Plan' })
    for (const name of [/Approve/, /Remove/, /Edit/, /Cancel Subscription/])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByText('Join Requests')).toBeNull()
  })

  it('MEMB-05 reads the account login and whom to ask for the password', async () => {
    await people.olivia.client
      .from('subscription_logins')
      .insert({ subscription_id: planId, login_name: 'family@olivia.example' })
      .throwOnError()
    await open('marc')
    await screen.findByText('family@olivia.example')
    expect(screen.getByText('Contact the plan owner for the password.')).toBeTruthy()
  })

  it('MEMB-02 ERR-21 leaves after asking', async () => {
    const { user, at } = await open('marc')
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    await user.click(await screen.findByRole('button', { name: 'Leave plan' }))
    await screen.findByText('You have left the subscription successfully.')
    await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))
    const { data } = await people.marc.client
      .from('subscription_members')
      .select('id')
      .eq('user_id', people.marc.id)
    expect(data).toEqual([])
  })

  it('ROLE-11 loses the page live when removed', async () => {
    await open('marc')
    await screen.findByRole('button', { name: 'Leave' })
    await people.olivia.client
      .from('subscription_members')
      .delete()
      .eq('subscription_id', planId)
      .eq('user_id', people.marc.id)
      .throwOnError()
    await screen.findByText('You do not have access to this subscription')
  })
})

describe('everyone else', () => {
  it('ROLE-11 PLAN-04 a stranger has no access, not even with a request', async () => {
    await ask(people.zoe, planId)
    await open('zoe')
    await screen.findByText('You do not have access to this subscription')
    expect(screen.getByRole('heading', { name: 'Error Loading Subscription' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to My Subscriptions' })).toBeTruthy()
  })

  it('PLAN-03 ERR-23 an unknown plan is said to be unknown', async () => {
    await open('zoe', '/subscription/sub-0')
    await screen.findByRole('heading', { name: 'Error Loading Subscription' })
    const texts = await screen.findAllByText("Subscription not found or you don't have access")
    expect(texts.length).toBeGreaterThan(0)
    await screen.findByText('Error loading subscription')
  })

  it.each(['manage-shared', 'manage-subscribed', 'subscription'])(
    'PLAN-02 a visitor of /%s is asked to log in and brought back',
    async (place) => {
      const { at } = await openApp(server(), `/${place}/${planId}`)
      await screen.findByText('You need to be logged in to view this page')
      const href =
        within(screen.getByRole('main')).getByRole('link', { name: 'Sign In' }).getAttribute('href') ?? ''
      expect(new URLSearchParams(href.split('?')[1]).get('redirect')).toContain(`/${place}/${planId}`)
      expect(at()).toBe(`/${place}/${planId}`)
    },
  )
})
