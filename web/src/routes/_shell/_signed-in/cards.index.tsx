import { t } from '@lingui/core/macro'
import { Container, Stack } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { AddCard } from '#features/money/cards/AddCard.tsx'
import { BackToRequest } from '#features/money/cards/BackToRequest.tsx'
import { CardList } from '#features/money/cards/CardList.tsx'
import { useKeepCard } from '#features/money/cards/cards.mutations.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

export const Route = createFileRoute('/_shell/_signed-in/cards/')({
  staticData: { signInNotice: { title: t`Please sign in to see your cards.` } },
  /** The parameter that the payment provider's form adds on return. */
  validateSearch: z.object({ setup_intent: given(z.string()) }),
  component: Cards,
})

function Cards() {
  const { id } = useUser()
  const { setup_intent: setup } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { mutate: keep } = useKeepCard()
  const kept = useRef('')
  useEffect(() => {
    if (!setup || kept.current === setup) return
    kept.current = setup
    keep(setup, { onSettled: () => navigate({ search: {}, replace: true }) })
  }, [setup, keep, navigate])
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/my-savings">{t`Back to My Savings`}</BackLink>
      <PageTitle title={t`Cards`} />
      <Stack gap="lg">
        <SimulationNotice />
        <BackToRequest busy={setup !== undefined} />
        <SurfaceCard>
          <CardList userId={id} />
        </SurfaceCard>
        <SurfaceCard>
          <AddCard />
        </SurfaceCard>
      </Stack>
    </Container>
  )
}
