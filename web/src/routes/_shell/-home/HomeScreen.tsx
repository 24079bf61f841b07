import { plural, t } from '@lingui/core/macro'
import { Container, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { FirstSteps } from '#features/home/overview/FirstSteps.tsx'
import { useHomeLive } from '#features/home/overview/home.live.ts'
import { type Home, homeKeys, homeQuery, type Task } from '#features/home/overview/home.queries.ts'
import { PlanList } from '#features/home/overview/PlanList.tsx'
import { SavingsSummary } from '#features/home/overview/SavingsSummary.tsx'
import { SuggestionCard } from '#features/home/overview/SuggestionCard.tsx'
import type { Side } from '#features/home/overview/step-words.ts'
import { AwaitedList, TaskList } from '#features/home/overview/TaskList.tsx'
import { AnswerPayment } from '#features/money/payments/AnswerPayment.tsx'
import { useQueuedClaims } from '#features/money/payments/queued-claims.ts'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { PersonChat } from '#features/people/chat/PersonChat.tsx'
import { onceOnline } from '#lib/online.ts'
import type { User } from '#lib/session.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { LoneLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './HomeScreen.module.css'
import { UnreadChats } from './UnreadChats.tsx'

const MomentCard = lazy(() => onceOnline(() => import('#features/account/notifications/MomentCard.tsx')))

interface HomeScreenProps {
  user: User
  /** A newcomer's stated aim, if any. */
  side: Side | undefined
}

/** The home page of a signed-in person: tasks, plans and savings. */
export function HomeScreen({ user, side }: HomeScreenProps) {
  const { data: home, error, refetch } = useQuery(homeQuery(user.id))
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  useHomeLive(user)
  const waits = useQueuedClaims()
  const cache = useQueryClient()
  const onAnswered = () => void cache.invalidateQueries({ queryKey: homeKeys.all })
  if (!home && !error) return <HomeSkeleton />
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <PageTitle
        title={t`Home`}
        actions={home && home.saved.joined + home.saved.shared > 0 && <SavingsSummary saved={home.saved} />}
      >
        {home && summary(home)}
      </PageTitle>
      <Suspense>
        <MomentCard userId={user.id} />
      </Suspense>
      {!home && error && (
        <LoadAlert
          title={t`Your to-dos could not be loaded`}
          problem={error}
          onRetry={() => void refetch()}
        />
      )}
      {home && (
        <div className={classes.home}>
          <Stack gap="md" miw={0}>
            {home.tasks.length > 0 && (
              <Part title={t`Waiting for you`}>
                <TaskList
                  tasks={home.tasks}
                  answer={(task, leads) => answerOf(task, leads, { waits, onAnswered })}
                />
              </Part>
            )}
            {home.awaited.length > 0 && (
              <Part title={t`Waiting for others`}>
                <AwaitedList awaited={home.awaited} />
              </Part>
            )}
            {home.steps && <FirstSteps steps={home.steps} side={side} />}
            <UnreadChats userId={user.id} onOpen={setPartner} within={Part} />
          </Stack>
          <Stack gap="md" miw={0}>
            {/* Newcomers without plans get the first steps, which link to sharing and joining themselves. */}
            {(home.plans.length > 0 || !home.steps) && (
              <Part title={t`Your plans`}>
                <PlanList plans={home.plans} />
              </Part>
            )}
            {home.suggestion && <SuggestionCard suggestion={home.suggestion} />}
          </Stack>
        </div>
      )}
      <LoneLink to="/" search={{ view: 'offer' }} size="sm" mt="sm">
        {t`How Potluck works`}
      </LoneLink>
      <PersonChat partner={partner} userId={user.id} onClose={() => setPartner(null)} />
    </Container>
  )
}

/** A placeholder while the home page or the session loads. */
export function HomeSkeleton() {
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title={t`Home`}>{t`Loading your plans and to-dos…`}</PageTitle>
      <SurfaceCard>
        <RowsSkeleton rows={3} />
      </SurfaceCard>
    </Container>
  )
}

/** Buttons that answer a payment in place, or a note that "I’ve paid" waits for a connection. */
function answerOf(
  { kind, id, person, amount }: Task,
  leads: boolean,
  { waits, onAnswered }: { waits: readonly string[]; onAnswered: () => void },
) {
  if (id === null) return null
  if (kind === 'confirm-payment')
    return (
      <AnswerPayment
        payment={{ id, memberName: person || t`Someone`, amount: amount ?? 0 }}
        leads={leads}
        onAnswered={onAnswered}
      />
    )
  return waits.includes(id) ? (
    <Text size="sm" c="dimmed">
      {t`“I’ve paid” is sent once you’re online`}
    </Text>
  ) : null
}

function summary({ tasks, steps }: Home): string {
  if (tasks.length > 0)
    return t`You have ${plural(tasks.length, { one: '# thing', other: '# things' })} to do.`
  return steps ? t`Welcome to the table.` : t`You’re all caught up.`
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    <SurfaceCard component="section" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={4}>
        {title}
      </Title>
      {children}
    </SurfaceCard>
  )
}
