// A plan as full as plans get, with names as long as names get, made as a browser would make it: over the API.
import { expect } from '@playwright/test'
import type { Potluck } from './potluck.ts'

export const CROWD_OWNER = 'maximiliane.charlotte.von-hohenstein-wittgenstein@a-rather-long-domain.example'
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

interface Account {
  id: string
  call: (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<unknown>
}

/** Shares a plan of twelve that is full but for one place, which is promised, and gives the invitation's address. */
export async function gatherCrowd(potluck: Potluck): Promise<{ planId: string; invitation: string }> {
  const { supabaseAnonKey: key } = await (await fetch(`${potluck.url}/config.json`)).json()
  const arrive = (email: string, name: string) => signIn(potluck, key, email, name)
  const owner = await arrive(CROWD_OWNER, OWNER_NAME)
  const [plan] = (await owner.call('POST', '/rest/v1/shared_subscriptions?select=id', {
    catalogue_plan_id: 'expressvpn-advanced-2-year',
    owner_max_members: 12,
    next_payment: new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10),
  })) as { id: string }[]
  const planId = plan?.id ?? ''
  for (const [index, name] of NAMES.entries()) {
    const person = await arrive(`crowd-${index}@potluck.example`, name)
    const [request] = (await person.call('POST', '/rest/v1/subscription_requests?select=id', {
      subscription_id: planId,
      message: index === 0 ? LONG_MESSAGE : 'May I?',
    })) as { id: string }[]
    // The first waits, the last place is promised to somebody else.
    if (index > 0)
      await owner.call('POST', '/rest/v1/rpc/approve_subscription_request', {
        p_request_id: request?.id,
        p_subscription_id: planId,
      })
    if (index === 1) {
      const conversation = await person.call('POST', '/rest/v1/rpc/find_or_create_conversation', {
        p_subscription_id: planId,
        p_owner_id: owner.id,
        p_member_id: person.id,
      })
      await person.call('POST', '/rest/v1/messages', {
        conversation_id: conversation,
        sender_id: person.id,
        content: `Look: https://example.com/${'a-very-long-address-without-a-break/'.repeat(4)} — ${LONG_MESSAGE}`,
      })
    }
  }
  await owner.call('POST', '/rest/v1/rpc/invite_member', {
    p_subscription_id: planId,
    p_email: 'invited@potluck.example',
  })
  const address = /https?:\/\/\S+(\/invitation\/[^\s")]+)/
  await expect.poll(() => mailTo(potluck, 'invited@potluck.example')).toMatch(address)
  const invitation = address.exec(await mailTo(potluck, 'invited@potluck.example'))?.[1] ?? ''
  return { planId, invitation }
}

async function mailTo(potluck: Potluck, email: string): Promise<string> {
  return (await potluck.outbox()).find(({ to }) => to === email)?.text ?? ''
}

/** Follows a magic link the way a browser does, and takes the name. */
async function signIn(potluck: Potluck, key: string, email: string, name: string): Promise<Account> {
  const base = { apikey: key, 'content-type': 'application/json' }
  const asked = await fetch(`${potluck.url}/auth/v1/otp`, {
    method: 'POST',
    headers: base,
    body: JSON.stringify({ email, create_user: true }),
  })
  expect(asked.status, email).toBe(200)
  const address = /https?:\/\/\S+\/auth\/v1\/verify\S+/
  await expect.poll(() => mailTo(potluck, email)).toMatch(address)
  const arrival = await fetch(address.exec(await mailTo(potluck, email))?.[0] ?? '', { redirect: 'manual' })
  const fragment = new URLSearchParams(new URL(arrival.headers.get('location') ?? '').hash.slice(1))
  const token = fragment.get('access_token') ?? ''
  const { sub: id } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const call: Account['call'] = async (method, path, body) => {
    const answer = await fetch(potluck.url + path, {
      method,
      headers: { ...base, authorization: `Bearer ${token}`, prefer: 'return=representation' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
    return text && JSON.parse(text)
  }
  await call('PATCH', `/rest/v1/user_profiles?user_id=eq.${id}&select=user_id`, { display_name: name })
  return { id, call }
}
