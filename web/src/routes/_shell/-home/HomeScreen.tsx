import { Container, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { counted } from '#domain/plural.ts'
import { FirstSteps } from '#features/home/overview/FirstSteps.tsx'
import { useHomeLive } from '#features/home/overview/home.live.ts'
import { type Home, homeQuery } from '#features/home/overview/home.queries.ts'
import { NextPayments } from '#features/home/overview/NextPayments.tsx'
import { Saved } from '#features/home/overview/Saved.tsx'
import { SuggestionCard } from '#features/home/overview/SuggestionCard.tsx'
import type { Side } from '#features/home/overview/step-words.ts'
import { TaskList } from '#features/home/overview/TaskList.tsx'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import { lazyPart, onceOnline } from '#lib/online.ts'
import type { User } from '#lib/session.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './HomeScreen.module.css'
import { UnreadChats } from './UnreadChats.tsx'

const MomentCard = lazy(() => onceOnline(() => import('#features/account/notifications/MomentCard.tsx')))
const PersonChat = lazyPart(async () => (await import('../-PersonChat.tsx')).PersonChat)

interface HomeScreenProps {
  user: User
  /** What a newcomer came for, if they have said so. */
  side: Side | undefined
}

/** The first screen after signing in: what waits, what comes next, and what has been saved. */
export function HomeScreen({ user, side }: HomeScreenProps) {
  const { data: home, error, refetch } = useQuery(homeQuery(user.id))
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  useHomeLive(user)
  if (!home && !error) return <HomeSkeleton />
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title="Home">{home && summary(home)}</PageTitle>
      <Suspense>
        <MomentCard userId={user.id} />
      </Suspense>
      {!home && error && (
        <LoadAlert title="Failed to load what waits for you" problem={error} onRetry={() => void refetch()} />
      )}
      {home && (
        <div className={classes.home}>
          <Stack gap="md" miw={0}>
            {home.tasks.length > 0 && (
              <Part title="Waiting for you">
                <TaskList tasks={home.tasks} />
              </Part>
            )}
            {home.steps && <FirstSteps steps={home.steps} side={side} />}
            <UnreadChats userId={user.id} onOpen={setPartner} within={Part} />
          </Stack>
          <Stack gap="md" miw={0}>
            {home.payments.length > 0 && (
              <Part title="Next payments">
                <NextPayments payments={home.payments} />
              </Part>
            )}
            {home.saved.joined + home.saved.shared > 0 && (
              <Part title="Saved this year">
                <Saved saved={home.saved} />
              </Part>
            )}
            {home.suggestion && (
              <SuggestionCard
                suggestion={home.suggestion}
                shareOf={({ planId, plan }) => <SharePlan planId={planId} title={plan} variant="light" />}
              />
            )}
          </Stack>
        </div>
      )}
      <LazyDialog opened={partner !== null}>
        {(opened) => (
          <PersonChat partner={opened ? partner : null} userId={user.id} onClose={() => setPartner(null)} />
        )}
      </LazyDialog>
    </Container>
  )
}

/** Shown while Home loads, or while it is not yet known who is signed in. */
export function HomeSkeleton() {
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title="Home">Looking for what waits for you.</PageTitle>
      <SurfaceCard>
        <RowsSkeleton rows={3} />
      </SurfaceCard>
    </Container>
  )
}

function summary({ tasks, steps }: Home): string {
  if (tasks.length > 0)
    return `${counted(tasks.length, 'thing')} ${tasks.length === 1 ? 'waits' : 'wait'} for you.`
  return steps ? 'Welcome to the table.' : 'Nothing waits for you.'
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
