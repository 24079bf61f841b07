import { plural, t } from '@lingui/core/macro'
import { Container, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { FirstSteps } from '#features/home/overview/FirstSteps.tsx'
import { useHomeLive } from '#features/home/overview/home.live.ts'
import { type Home, homeQuery } from '#features/home/overview/home.queries.ts'
import { PlanList } from '#features/home/overview/PlanList.tsx'
import { SavingsSummary } from '#features/home/overview/SavingsSummary.tsx'
import type { Side } from '#features/home/overview/step-words.ts'
import { AwaitedList, TaskList } from '#features/home/overview/TaskList.tsx'
import { paymentOf } from '#features/home/overview/task-words.ts'
import { onceOnline } from '#lib/online.ts'
import type { User } from '#lib/session.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { LoneLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './HomeScreen.module.css'

const MomentCard = lazy(() => onceOnline(() => import('#features/account/notifications/MomentCard.tsx')))

interface HomeScreenProps {
  user: User
  /** A newcomer's stated aim, if any. */
  side: Side | undefined
  /** Plans to join, shown to newcomers without a plan. */
  market: ReactNode
}

/** The home page of a signed-in person: tasks, plans and savings. */
export function HomeScreen({ user, side, market }: HomeScreenProps) {
  const { data: home, error, refetch } = useQuery(homeQuery(user.id))
  useHomeLive(user)
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
                <TaskList tasks={home.tasks} />
              </Part>
            )}
            {home.awaited.length > 0 && (
              <Part title={t`Waiting for others`}>
                <AwaitedList awaited={home.awaited} />
              </Part>
            )}
            {home.steps && <FirstSteps steps={home.steps} side={side} />}
          </Stack>
          <Stack gap="md" miw={0}>
            {/* Newcomers without plans see the first steps instead, which already link to sharing and joining. */}
            {(home.plans.length > 0 || !home.steps) && (
              <Part title={t`Your plans`}>
                <PlanList userId={user.id} plans={home.plans} told={plansWithPayment(home)} />
              </Part>
            )}
          </Stack>
        </div>
      )}
      {home?.steps && !home.steps.planId && home.plans.length === 0 && side !== 'share' && market}
      <LoneLink to="/" search={{ view: 'offer' }} size="sm" mt="sm">
        {t`How Potluck works`}
      </LoneLink>
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

/** The plans that are named by a task about a payment, or by a payment that the person is waiting for. */
const plansWithPayment = ({ tasks, awaited }: Home) =>
  new Set([...tasks, ...awaited].filter(paymentOf).map(({ planId }) => planId))

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
