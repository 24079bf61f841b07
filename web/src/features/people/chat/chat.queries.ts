import { t } from '@lingui/core/macro'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { AppError, DUPLICATE, isRetryable, toAppError, unwrap } from '#lib/errors.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { read, rpc, supabase } from '#lib/supabase.ts'
import { chatTexts } from './chat.messages.ts'

/** The two people of a conversation and its plan. */
export interface ChatParties {
  planId: string
  ownerId: string
  memberId: string
}

/** The other side of a chat. */
export interface ChatPartner {
  parties: ChatParties
  planName: string
  name: string
  avatarUrl: string | null
}

/** The partner in the chat between a plan's owner and this member; `name` and `avatarUrl` are the partner's. */
export const chatPartner = (
  plan: Pick<Plan, 'id' | 'ownerId' | 'provider' | 'name'>,
  memberId: string,
  { name, avatarUrl }: Pick<ChatPartner, 'name' | 'avatarUrl'>,
): ChatPartner => ({
  parties: { planId: plan.id, ownerId: plan.ownerId, memberId },
  planName: `${plan.provider} ${planName(plan.name)}`,
  name,
  avatarUrl,
})

/** `isQuestion` is true if the member has not had a place in the plan yet. */
export type Conversation = Pick<TableRow<'conversations'>, 'id' | 'archived' | 'isQuestion'>

export type UnreadConversation = RowOf<'get_user_unread_conversations'>

/** A question from a person without a place in the plan. */
export interface Question {
  id: string
  memberId: string
  name: string
  avatarUrl: string | null
}

interface ConversationSummary extends ChatPartner {
  archived: boolean
}

type ListedRow = RowOf<'my_conversations', 'lastAt' | 'lastText' | 'avatarUrl'>

/** A conversation in the list, with the beginning of its last message. */
export type ListedConversation = ChatPartner &
  Pick<ListedRow, 'id' | 'archived' | 'unread' | 'hasDraft' | 'lastAt' | 'lastText' | 'lastIsOwn'>

export const chatKeys = {
  all: ['chat'],
  conversation: (of: ChatParties) => ['chat', 'conversation', of.planId, of.ownerId, of.memberId],
  messages: (conversationId: string) => ['chat', 'messages', conversationId],
  draft: (conversationId: string) => ['chat', 'draft', conversationId],
  sending: (conversationId: string) => ['chat', 'sending', conversationId],
  unread: (userId: string) => ['chat', 'unread', userId],
  conversations: (userId: string) => ['chat', 'unread', userId, 'conversations'],
  one: (userId: string, id: string) => ['chat', 'unread', userId, 'one', id],
  questions: (userId: string, planId: string) => ['chat', 'unread', userId, 'questions', planId],
} as const

/** In ms: the delay before a conversation is created after its dialog opens, so that an accidental tap creates none. */
const FIRST_WAIT = 500
/**
 * The maximum number of automatic retries of a failed request. Afterwards, the person can retry as many times by hand.
 */
export const MOST_RETRIES = 3
const COLLISION = /^23/
const MOST_LISTED = 50
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The conversation between a plan's owner and one member; created if there is none. */
export const conversationQuery = (parties: ChatParties) =>
  query({
    key: chatKeys.conversation(parties),
    staleTime: 0,
    retry: (failures, problem) => failures < MOST_RETRIES && mayPass(problem),
    retryDelay,
    load: async (signal, { client, queryKey }): Promise<Conversation> => {
      if (!parties.planId) throw new AppError('no_plan', chatTexts.noPlan)
      if (!parties.ownerId || !parties.memberId) throw new AppError('no_recipient', chatTexts.noRecipient)
      const { data, fetchFailureCount = 0 } = client.getQueryState(queryKey) ?? {}
      if (!data && fetchFailureCount === 0) await pause(FIRST_WAIT, signal)
      const id = await rpc(
        'find_or_create_conversation',
        { p_subscription_id: parties.planId, p_owner_id: parties.ownerId, p_member_id: parties.memberId },
        signal,
      )
      if (!id) throw new AppError('no_conversation', chatTexts.notCreated)
      const stored = read('conversations').select('archived, is_question').eq('id', id)
      return { id, ...camel<Omit<Conversation, 'id'>>(unwrap(await stored.abortSignal(signal).single())) }
    },
  })

/** The conversations with unread messages. The badge shows their number. */
export const unreadQuery = (userId: string) =>
  query({
    key: chatKeys.unread(userId),
    seen: true,
    load: async (signal) =>
      (await rpc('get_user_unread_conversations', { p_user_id: userId }, signal)).map(
        camel<UnreadConversation>,
      ),
  })

const PERSON = '(user_id, display_name, avatar_url)' as const
const LISTED =
  `conversation:conversations!inner(archived, subscription_id, plan:shared_subscriptions(provider, name), owner:user_profiles!conversations_owner_id_fkey${PERSON}, member:user_profiles!conversations_member_id_fkey${PERSON})` as const

/** A person's conversations. */
const marksOf = (userId: string) => read('chat_participants').select(LISTED).eq('user_id', userId)
type Mark = NonNullable<Awaited<ReturnType<typeof marksOf>>['data']>[number]

function toSummary(userId: string, { conversation }: Mark): ConversationSummary {
  const { archived, subscription_id: planId, plan, owner, member } = conversation
  const other = owner.user_id === userId ? member : owner
  return {
    archived,
    parties: { planId, ownerId: owner.user_id, memberId: member.user_id },
    planName: plan ? `${plan.provider} ${planName(plan.name)}` : '',
    name: other.display_name ?? t`Unknown`,
    avatarUrl: other.avatar_url,
  }
}

/** A person's conversations, unread ones first, then by their last message. Former members keep their archived ones. */
export const conversationsQuery = (userId: string) =>
  pagedQuery({
    key: chatKeys.conversations(userId),
    size: MOST_LISTED,
    load: async ({ count }, signal): Promise<ListedConversation[]> => {
      const page = supabase()
        .rpc('my_conversations')
        .order('unread', { ascending: false })
        .order('last_at', { ascending: false, nullsFirst: false })
        .order('id')
        .range(count, count + MOST_LISTED - 1)
      return unwrap(await page.abortSignal(signal)).map((row) => toListed(userId, camel<ListedRow>(row)))
    },
  })

function toListed(userId: string, row: ListedRow): ListedConversation {
  const { id, archived, unread, hasDraft, lastAt, lastText, lastIsOwn, subscriptionId, isOwner, personId } =
    row
  const [ownerId, memberId] = isOwner ? [userId, personId] : [personId, userId]
  return {
    ...{ id, archived, unread, hasDraft, lastAt, lastText, lastIsOwn },
    ...{ parties: { planId: subscriptionId, ownerId, memberId }, planName: planName(row.plan) },
    ...{ name: row.person, avatarUrl: row.avatarUrl },
  }
}

/** One of a person's conversations; null if it does not exist or is between other people. */
export const conversationSummaryQuery = (userId: string, id: string) =>
  query({
    key: chatKeys.one(userId, id),
    load: async (signal): Promise<ConversationSummary | null> => {
      if (!UUID.test(id)) return null
      const mark = unwrap(await marksOf(userId).eq('conversation_id', id).abortSignal(signal).maybeSingle())
      return mark && toSummary(userId, mark)
    },
  })

/** The open questions about a plan with their authors: all for its owner, otherwise the reader's own. */
export const questionsQuery = (userId: string, planId: string) =>
  query({
    key: chatKeys.questions(userId, planId),
    load: async (signal): Promise<Question[]> => {
      const open = read('conversations')
        .select(`id, member:user_profiles!conversations_member_id_fkey${PERSON}`)
        .eq('subscription_id', planId)
        .eq('archived', false)
        .or('is_question.eq.true,question_until.not.is.null')
        .order('created_at')
        .limit(MOST_LISTED)
      return unwrap(await open.abortSignal(signal)).map(({ id, member }) => ({
        id,
        memberId: member.user_id,
        name: member.display_name ?? t`Unknown`,
        avatarUrl: member.avatar_url,
      }))
    },
  })

/** Counts unread conversations by plan id. */
export function unreadCounts(unread: readonly UnreadConversation[] = []): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { subscriptionId: planId } of unread) counts[planId] = (counts[planId] ?? 0) + 1
  return counts
}

/**
 * True for failures worth a retry: a collision of two people who open the chat at the same time, a new member who is
 * not set up yet, a lost network. A refusal is final.
 */
function mayPass(problem: Error): boolean {
  const { code, message } = toAppError(problem)
  return (
    code === DUPLICATE || COLLISION.test(code) || isRetryable(problem) || /being initialized/i.test(message)
  )
}

/** Returns the delay before a retry, in ms: short after a collision, seconds otherwise. */
function retryDelay(failures: number, problem: Error): number {
  if (COLLISION.test(toAppError(problem).code)) return 500 * 2 ** failures + Math.random() * 250
  return 2000 * (failures + 1)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
