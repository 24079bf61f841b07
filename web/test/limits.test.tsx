// The browser counts everything that the server limits, and checks the count first: it sends nothing beyond the limit.
// Proves ERR 31, LIMIT 17-20
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { ALLOWANCES } from '@potluck/supabase/limits'
import type { Session } from '@supabase/supabase-js'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '#domain/plan.ts'
import { signIn } from '#features/account/auth/auth.mutations.ts'
import {
  useApproveRequest,
  useRejectRequest,
} from '#features/joining/join-requests/join-requests.mutations.ts'
import { pendingRequestsQuery } from '#features/joining/join-requests/join-requests.queries.ts'
import { useRequestToJoin } from '#features/joining/join-requests/request-to-join.mutation.ts'
import { useRemoveMember } from '#features/joining/memberships/memberships.mutations.ts'
import { useSendMessage } from '#features/people/chat/chat.mutations.ts'
import { useChangeSlots } from '#features/plans/shared-plans/plans.mutations.ts'
import { useCreatePlan } from '#features/plans/sharing/create-plan.mutation.ts'
import { type Limited, limiter } from '#lib/rate-limit.ts'
import { standIn } from '#lib/session.ts'
import { intercept, refusal } from './network.ts'
import { connectTestSite } from './site.ts'

let people = 0
let me: string
let asked: { times: number[] }[]

beforeEach(async () => {
  people += 1
  me = `person-${people}`
  await connectTestSite()
  standIn({
    access_token: 'token',
    user: { id: me, email: 'olivia@potluck.example', user_metadata: {} },
    expires_at: Date.now() / 1000 + 3600,
  } as unknown as Session)
  asked = ['GET', 'POST', 'PATCH', 'DELETE'].map((method) =>
    intercept(`${method} /rest/v1/`, () => refusal(400, 'XX000', 'This must not be asked')),
  )
})
afterEach(() => notifications.clean())

const requests = () => asked.flatMap(({ times }) => times).length
const useUp = (action: Limited) => {
  for (let done = 0; done < ALLOWANCES[action].attempts; done += 1) limiter.take(action, me)
}

type Use = () => { mutate: (wish: never) => void }

/** Shows a button that calls the hook's function, and presses the button. */
async function press(useIt: Use, wish: unknown) {
  const component = () => {
    const { mutate } = useIt()
    return (
      <button type="button" onClick={() => mutate(wish as never)}>
        Go
      </button>
    )
  }
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() })
  render(
    <MantineProvider>
      <Notifications />
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await userEvent.click(await screen.findByText('Go'))
}

const waiting = /^Rate limit exceeded\. Please wait (5\d|60) seconds\.$/
const request = { id: 'request-1', name: 'Marc' }
const plan = { id: 'sub-1', provider: 'Netflix', name: 'Premium' } as Plan

const quiet = { onSent: () => undefined, onLetIn: () => undefined, onRefused: () => undefined }
const doings: [string, Limited, Use, unknown][] = [
  [
    'creates a plan',
    'plan creation',
    () => useCreatePlan(async () => []),
    { cataloguePlanId: 'netflix-premium', openSlots: 2, renewalDate: '2030-01-01' },
  ],
  ['asks to join', 'join request', () => useRequestToJoin(me, quiet), { plan, message: '' }],
  [
    'sends a chat message',
    'chat message',
    () => useSendMessage('conversation-1'),
    { id: 'message-1', conversationId: 'conversation-1', senderId: 'marc', text: 'Hi' },
  ],
  ['approves', 'approval', () => useApproveRequest(plan.id), request],
  ['rejects', 'rejection', () => useRejectRequest(plan.id), request],
  ['changes slots', 'owner action', () => useChangeSlots(plan, me), 3],
  [
    'removes a member',
    'owner action',
    () => useRemoveMember(plan.id),
    { userId: 'marc', displayName: 'Marc' },
  ],
]

describe('beyond the allowance nothing is sent when somebody', () => {
  it.each(doings)('%s', async (_name, action, useIt, wish) => {
    useUp(action)
    await press(useIt, wish)
    const text = await screen.findByText(waiting)
    expect(text.parentElement?.textContent).toMatch(/^Too Many RequestsRate limit exceeded\./)
    expect(requests()).toBe(0)
  })

  it('looks at requests', async () => {
    useUp('view requests')
    const look = new QueryClient().fetchQuery({ ...pendingRequestsQuery(plan.id), retry: false })
    await expect(look).rejects.toMatchObject({ code: 'PT429', message: expect.stringMatching(waiting) })
    expect(requests()).toBe(0)
  })

  it('tries a sixth password within a quarter of an hour, in whatever case the address is', async () => {
    const wrong = () =>
      Promise.resolve(
        Response.json(
          { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' },
          { status: 400 },
        ),
      )
    const { times } = intercept('POST /auth/v1/token', wrong)
    const email = `${me}@potluck.example`
    for (let tries = 0; tries < 5; tries += 1)
      await expect(signIn(email, 'Wrong-1!')).rejects.toMatchObject({ code: 'invalid_credentials' })
    await expect(signIn(` ${email.toUpperCase()} `, 'Right-1!')).rejects.toMatchObject({
      code: 'PT429',
      message: expect.stringMatching(/^Rate limit exceeded\. Please wait (900|89\d) seconds\.$/),
    })
    expect(times).toHaveLength(5)
  })
})

it('what is not a wrong password uses up no attempt', async () => {
  intercept('POST /auth/v1/token', () => Promise.resolve(new Response('away', { status: 503 })))
  for (let tries = 0; tries < 7; tries += 1)
    await expect(signIn(`${me}@potluck.example`, 'Right-1!')).rejects.not.toMatchObject({ code: 'PT429' })
})
