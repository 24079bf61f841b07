import * as z from 'zod/mini'
import { planName } from '#domain/plan-name.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const TASK_KINDS = [
  'answer-request',
  'give-access',
  'check-access',
  'confirm-payment',
  'confirm-repayment',
  'pay-back',
  'say-where-to-pay-back',
  'pay',
  'pay-again',
  'mend-payment',
  'confirm-card',
  'answer-problem',
  'check-fix',
  'change-password',
  'answer-terms',
  'say-how-to-pay',
  'add-access',
  'take-place',
  'answer-invitation',
] as const

/** The kinds of tasks that the person waits for other people to do. */
const AWAITED_KINDS = ['await-access', 'await-confirmation', 'await-decision', 'await-answer'] as const

const text = z.nullable(z.string())
const people = z.array(z.object({ id: z.string(), name: z.string(), avatarUrl: text }))
/** The provider's and the plan's name. */
const plan = z.pipe(z.string(), z.transform(planName))

const lineOf = <Kinds extends readonly string[]>(kinds: Kinds) =>
  z.object({
    kind: z.enum(kinds),
    /** The id of the payment, problem or invitation the task is about. */
    id: text,
    planId: text,
    provider: text,
    /** Null if the task is not about a plan. */
    plan: z.nullable(plan),
    /** The other person. */
    person: text,
    avatarUrl: text,
    /** The people whose requests for one plan are folded into this task. */
    people: z._default(people, []),
    amount: z.nullable(z.number()),
    currency: z.string(),
    /** ISO timestamp: the deadline, or a payment's due date. */
    dueAt: text,
    /** ISO timestamp: when the person will lose something, such as their place, if nothing happens. */
    lostAt: text,
    /** True if the person is no longer in the plan, so that the plan's page cannot show the task. */
    isOver: z._default(z.boolean(), false),
    /** True for a plan that the person shares. */
    isOwn: z._default(z.boolean(), false),
  })

const homeSchema = z.object({
  tasks: z.array(lineOf(TASK_KINDS)),
  awaited: z.array(lineOf(AWAITED_KINDS)),
  plans: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      plan,
      isOwner: z.boolean(),
      /** For a member, the owner; for the owner, the members. */
      people,
      /** The number of places for members, if the person shares the plan; null otherwise. */
      places: z.nullable(z.number()),
      /** The due date of the next payment for a place. */
      next: z.nullable(z.object({ dueAt: z.string() })),
    }),
  ),
  /** This year's savings in EUR, as a member (`joined`) and as an owner (`shared`). */
  saved: z.object({ joined: z.number(), shared: z.number() }),
  steps: z.nullable(
    z.object({
      ...{ hasAsked: z.boolean(), hasCard: z.boolean(), takesCards: z.boolean() },
      ...{ planId: text, hasInvited: z.boolean() },
    }),
  ),
})

export type Home = z.infer<typeof homeSchema>
export type Task = Home['tasks'][number]
export type AwaitedTask = Home['awaited'][number]
export type HomePlan = Home['plans'][number]
export type Steps = NonNullable<Home['steps']>

export const homeKeys = {
  all: ['home'],
  of: (userId: string) => ['home', userId],
} as const

/** The longest time between two reloads, in ms. */
const LONGEST_WAIT = 60 * 60_000

/**
 * The data of the home page: the person's tasks, the tasks they wait for others to do, plans, savings, and first steps.
 */
export const homeQuery = (userId: string) =>
  query({
    key: homeKeys.of(userId),
    seen: true,
    load: async (signal): Promise<Home> => withPlans(homeSchema.parse(await rpc('my_home', {}, signal))),
    // Offers end and payments fall due without any change in the database, so reload at the next such time.
    refetchInterval: ({ state }) => untilNextMoment(state.data, Date.now()),
  })

function withPlans({ tasks, awaited, ...home }: Home): Home {
  const plans = new Map(home.plans.map(({ id, isOwner }) => [id, isOwner]))
  const known = ({ planId }: { planId: string | null }) => ({
    isOver: planId !== null && !plans.has(planId),
    isOwn: planId !== null && plans.get(planId) === true,
  })
  return {
    ...home,
    tasks: foldRequests(tasks).map((task) => ({ ...task, ...known(task) })),
    awaited: awaited.map((one) => ({ ...one, ...known(one) })),
  }
}

/** Folds several requests for one plan into the first of them, whose time ends first. */
const foldRequests = (tasks: readonly Task[]): Task[] =>
  tasks.flatMap((task) => {
    const requests = tasks.filter(
      ({ kind, planId }) => kind === 'answer-request' && kind === task.kind && planId === task.planId,
    )
    if (requests.length < 2) return task
    if (requests[0] !== task) return []
    return {
      ...task,
      avatarUrl: null,
      people: requests.map(({ id, person, avatarUrl }) => ({ id: id ?? '', name: person ?? '', avatarUrl })),
    }
  })

function untilNextMoment(home: Home | undefined, now: number): number | false {
  const moments = [
    ...(home?.tasks ?? []),
    ...(home?.awaited ?? []),
    ...(home?.plans ?? []).map(({ next }) => ({ dueAt: next?.dueAt })),
  ].map(({ dueAt }) => Date.parse(dueAt ?? ''))
  const ahead = moments.filter((moment) => moment > now)
  return ahead.length > 0 && Math.min(Math.min(...ahead) - now + 1000, LONGEST_WAIT)
}
