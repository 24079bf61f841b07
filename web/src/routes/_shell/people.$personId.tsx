import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { blockedQuery } from '#features/people/blocks/blocks.queries.ts'
import { SimilarPlans } from '#features/plans/browse/SimilarPlans.tsx'
import { lazyPart } from '#lib/online.ts'
import { currentSession, useSession } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { PersonView } from './-person/PersonView.tsx'
import { personQuery } from './-person/person.query.ts'

// Lazy, since visitors cannot block anybody.
const BlockedView = lazyPart(async () => (await import('./-person/BlockedView.tsx')).BlockedView)

export const Route = createFileRoute('/_shell/people/$personId')({
  staticData: { reading: true },
  loader: ({ context: { queryClient: cache }, params: { personId } }) => {
    const session = currentSession()
    if (session.status === 'loading') return
    const readerId = session.status === 'signed-in' ? session.user.id : null
    void cache.prefetchQuery(personQuery(personId, readerId))
  },
  component: Person,
})

/** A person's page, for readers with or without an account. */
function Person() {
  const { personId } = Route.useParams()
  const session = useSession()
  const readerId = session.status === 'signed-in' ? session.user.id : null
  const wanted = personQuery(personId, readerId)
  const person = useQuery({ ...wanted, enabled: session.status !== 'loading' })
  const blocks = useQuery({ ...blockedQuery, enabled: readerId !== null })
  const blocked = blocks.data?.find(({ userId }) => userId === personId)
  return (
    <Container size="md" py={{ base: 'sm', sm: 'lg' }}>
      <Loaded
        of={person}
        pending={<CardGridSkeleton cards={2} columns={1} />}
        failed={t`This page could not be loaded`}
      >
        {(page) => {
          if (page) return <PersonView key={personId} person={page} readerId={readerId} />
          if (blocked)
            return (
              <Suspense>
                <BlockedView userId={personId} name={blocked.name} />
              </Suspense>
            )
          if (blocks.isLoading) return null
          return (
            <>
              <EmptyState
                order={1}
                title={t`No one here`}
                action={<LinkButton to="/plans">{t`See all plans`}</LinkButton>}
              >
                {t`This profile is gone, or you can’t see it.`}
              </EmptyState>
              <SimilarPlans />
            </>
          )
        }}
      </Loaded>
    </Container>
  )
}
