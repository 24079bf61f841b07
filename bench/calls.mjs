// The four calls that are measured. Each has a thousand requests, one per person, so that responses vary.
import { conversationId, personId, toRequest } from './requests.mjs'

const PEOPLE = 1_000
const PAGE = 20

const planId = (plan) => `sub-bench-${String(plan).padStart(5, '0')}`
const ownPlan = (person) => (person - 1) * 5 + 1 + (person % 5)

export const CALLS = [
  {
    name: 'one plan by id',
    status: 200,
    request: (person) => ({
      method: 'GET',
      path: `/rest/v1/shared_subscriptions?select=*&id=eq.${planId(((person * 7919) % 5000) + 1)}`,
      headers: { accept: 'application/vnd.pgrst.object+json' },
    }),
    check: (body) => body.id?.startsWith('sub-bench-') && body.max_members >= 3,
  },
  {
    name: `browse page of ${PAGE} with owner profile`,
    status: 200,
    request: (person) => ({
      method: 'GET',
      path: `/rest/v1/shared_subscriptions?select=*,owner_profile:user_profiles!shared_subscriptions_owner_id_fkey(display_name,avatar_url)&status=eq.active&owner_id=neq.${personId(person)}&order=created_at.desc,id.desc&offset=${(person % 5) * PAGE}&limit=${PAGE}`,
    }),
    check: (body) =>
      body.length === PAGE && body.every((plan) => plan.owner_profile.display_name.startsWith('Person')),
  },
  {
    name: 'rpc get_pending_requests_with_expiry',
    status: 200,
    request: (person) => ({
      method: 'POST',
      path: '/rest/v1/rpc/get_pending_requests_with_expiry',
      body: { p_subscription_id: planId(ownPlan(person)) },
    }),
    check: (body) => body.length === 2 && body.every((request) => request.expires_in_hours > 0),
  },
  {
    name: 'insert of a message',
    status: 201,
    request: (person) => ({
      method: 'POST',
      path: '/rest/v1/messages?select=*',
      headers: { prefer: 'return=representation' },
      body: {
        conversation_id: conversationId(ownPlan(person)),
        sender_id: personId(person),
        content: 'The next payment is due on Friday; shall I send the new account details then?',
        message_type: 'user',
        metadata: { status: 'sent', retry_count: 0 },
      },
    }),
    check: (body) => body.length === 1 && body[0].metadata.status === 'delivered',
  },
]

/** Returns a call's requests as a signed-in browser sends them to a server with this public key and JWT secret. */
export function requestsOf(call, server) {
  return Array.from({ length: PEOPLE }, (_, index) => {
    const person = index + 1
    const { headers, ...request } = call.request(person)
    const named = { 'x-client-info': 'supabase-js-web/2.109.0', ...headers }
    return toRequest({ person, domain: 'bench.test', ...request, headers: named }, server)
  })
}
