// The town's requests, in realistic proportions, written as the web app's queries are. If nobody waits for an answer,
// somebody opens their home page instead.
import { conversationId, personId } from './requests.mjs'
import { emailOf, memberOf, ownerOf, PASSWORD, PEOPLE, PLANS, planId } from './town.mjs'

const below = (count) => Math.floor(Math.random() * count)
const ANYBODY = () => below(PEOPLE) + 1
const ANYTHING = () => below(PLANS) + 1
const oneOf = (list) => list[below(list.length)]
const SEARCHES = ['netflix', 'spotify', 'disney', 'premium', 'family', 'one']
const CATEGORIES = ['streaming', 'music', 'gaming', 'productivity', 'security']
const PERSON = '(user_id,display_name,avatar_url)'
const LISTED = `has_unread,conversation:conversations!inner(id,archived,subscription_id,plan:shared_subscriptions(provider,name),owner:user_profiles!conversations_owner_id_fkey${PERSON},member:user_profiles!conversations_member_id_fkey${PERSON})`

const get = (person, path) => ({ person, method: 'GET', path: `/rest/v1/${path}` })
const rpc = (person, name, body = {}) => ({ person, method: 'POST', path: `/rest/v1/rpc/${name}`, body })
const market = (person, wish = {}) =>
  rpc(person, 'market_plans', {
    p_search: null,
    p_category: null,
    p_provider: null,
    p_most: null,
    p_settlement: null,
    p_level: null,
    p_instant: false,
    p_cheapest: false,
    p_full: true,
    p_limit: 12,
    ...wish,
  })
const earlier = () => new Date(Date.now() - below(PLANS) * 30_000).toISOString()

/** The most expensive query that the screens offer: it scans every plan and finds none. */
export const slowSearch = (person) => market(person, { p_most: 0.5, p_cheapest: true })

/**
 * Returns groups of calls. A call has a weight (how many of a hundred requests it gets) and a function that makes
 * requests. `anyPerson` and `anyPlan` pick who sends a request and which plan it is about; `approved` is the share of
 * join requests that owners approve, from 0 to 1.
 */
export function createMix({ anyPerson = ANYBODY, anyPlan = ANYTHING, approved = 0.1 } = {}) {
  // Join requests and payment claims that people have made and others will answer.
  const [asked, claimed] = [[], []]
  return [
    {
      group: 'browse and open',
      calls: [
        [26, () => market(anyPerson())],
        [10, () => market(anyPerson(), { p_category: oneOf(CATEGORIES) })],
        [7, () => market(anyPerson(), { p_before: earlier(), p_before_id: planId(anyPlan()) })],
        [7, () => market(anyPerson(), { p_search: oneOf(SEARCHES) })],
        [5, () => rpc(anyPerson(), 'count_available_plans')],
        [15, () => rpc(anyPerson(), 'market_plan', { p_id: planId(anyPlan()) })],
      ],
    },
    {
      group: 'chat',
      calls: [
        [
          4,
          (person = anyPerson()) =>
            rpc(person, 'get_user_unread_conversations', { p_user_id: personId(person) }),
        ],
        [
          2,
          (person = anyPerson()) =>
            get(
              person,
              `chat_participants?select=${LISTED}&user_id=eq.${personId(person)}&order=has_unread.desc,conversation_id&limit=50`,
            ),
        ],
        [
          5,
          (plan = anyPlan()) =>
            get(
              memberOf(plan, 1),
              `messages?select=*&conversation_id=eq.${conversationId(plan)}&order=created_at.desc,id.desc&limit=30`,
            ),
        ],
        [
          4,
          (plan = anyPlan(), person = ownerOf(plan)) => ({
            ...{ person, method: 'POST', path: '/rest/v1/messages?select=*' },
            headers: { prefer: 'return=representation' },
            body: {
              conversation_id: conversationId(plan),
              sender_id: personId(person),
              content: 'It works again, thank you. The code came this morning.',
              message_type: 'user',
              metadata: { status: 'sent', retry_count: 0 },
            },
          }),
        ],
      ],
    },
    {
      group: 'requests and approvals',
      calls: [
        [
          2,
          (plan = anyPlan(), person = stranger(plan, anyPerson)) => ({
            ...{ person, method: 'POST', path: '/rest/v1/subscription_requests?select=id' },
            headers: { prefer: 'return=representation' },
            body: { subscription_id: planId(plan), message: 'I would like to share this one.' },
            done: ([{ id }]) => asked.push({ plan, id }),
          }),
        ],
        [
          1,
          (plan = anyPlan()) =>
            rpc(ownerOf(plan), 'get_pending_requests_with_expiry', { p_subscription_id: planId(plan) }),
        ],
        [2, () => answer(asked.shift(), approved) ?? rpc(anyPerson(), 'my_home')],
      ],
    },
    {
      group: 'payments and wallet',
      calls: [
        [
          1,
          (person = anyPerson()) =>
            get(
              person,
              `member_payments?select=*&member_id=eq.${personId(person)}&order=due_at.desc,id.desc&limit=30`,
            ),
        ],
        [1, () => rpc(anyPerson(), 'my_seats')],
        [0.5, (person = anyPerson()) => get(person, `user_wallets?select=*&user_id=eq.${personId(person)}`)],
        [
          0.5,
          (person = anyPerson()) =>
            get(
              person,
              `coin_transactions?select=*&user_id=eq.${personId(person)}&order=created_at.desc&limit=50`,
            ),
        ],
        [
          1,
          (plan = anyPlan()) => ({
            ...get(
              memberOf(plan, 2),
              `member_payments?select=id,status&subscription_id=eq.${planId(plan)}&status=eq.due&order=due_at`,
            ),
            done: ([one]) => one && claimed.push({ plan, id: one.id, said: false }),
          }),
        ],
        [1, () => settle(claimed) ?? rpc(anyPerson(), 'my_home')],
      ],
    },
    {
      group: 'sign-in',
      calls: [
        [
          5,
          () => ({
            method: 'POST',
            path: '/auth/v1/token?grant_type=password',
            body: { email: emailOf(anyPerson()), password: PASSWORD },
          }),
        ],
      ],
    },
  ]
}

/** Returns a person without a place in the plan. */
function stranger(plan, anyPerson) {
  const inside = [ownerOf(plan), memberOf(plan, 1), memberOf(plan, 2)]
  for (;;) {
    const person = anyPerson()
    if (!inside.includes(person)) return person
  }
}

/** Returns an owner's answer to a join request. */
function answer(request, approved) {
  if (!request) return undefined
  const { plan, id } = request
  const name = Math.random() < approved ? 'approve_subscription_request' : 'reject_subscription_request'
  return rpc(ownerOf(plan), name, { p_request_id: id, p_subscription_id: planId(plan) })
}

/** Returns the call in which a member says that they have paid or, later, the owner confirms the payment. */
function settle(claimed) {
  const next = claimed.shift()
  if (!next) return undefined
  if (next.said) return rpc(ownerOf(next.plan), 'confirm_payment', { p_payment_id: next.id })
  return {
    ...rpc(memberOf(next.plan, 2), 'say_paid', { p_payment_id: next.id }),
    done: () => claimed.push({ ...next, said: true }),
  }
}
