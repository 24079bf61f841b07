import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { ImportedRow } from '#domain/imports/row.ts'
import { wishQuery } from '#features/money/payments/wishes.ts'
import { catalogueQuery } from '#features/plans/catalogue/catalogue.queries.ts'
import { ImportPlans } from '#features/plans/imports/ImportPlans.tsx'
import { SourceCard } from '#features/plans/imports/SourceCard.tsx'
import { SOURCES } from '#features/plans/imports/source-names.ts'
import { lazyPart } from '#lib/online.ts'
import { given } from '#lib/search.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

const WishDialog = lazyPart(async () => (await import('#features/money/payments/WishDialog.tsx')).WishDialog)

export const Route = createFileRoute('/_shell/_signed-in/import')({
  staticData: { signInNotice: { title: t`Please sign in to bring your plans along.` } },
  validateSearch: z.object({ from: given(z.enum(SOURCES)) }),
  loader: ({ context: { queryClient: cache } }) => void cache.prefetchQuery(catalogueQuery),
  component: Import,
})

function Import() {
  const { from = 'spliit' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const [rows, setRows] = useState<ImportedRow[] | null>(null)
  const { prepare, dialog } = useAskHowPaid()
  return (
    <Container size="md" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/create">{t`Share a plan`}</BackLink>
      <PageTitle title={t`Bring your plans along`}>{t`Check every plan before you share it.`}</PageTitle>
      {rows ? (
        <ImportPlans rows={rows} prepare={prepare} onAgain={() => setRows(null)} />
      ) : (
        <SourceCard
          source={from}
          onSource={(source) => void navigate({ search: { from: source }, replace: true })}
          onRows={setRows}
        />
      )}
      {dialog}
    </Container>
  )
}

/** Asks how the person is paid before the first people are invited to the plans. */
function useAskHowPaid() {
  const { user } = Route.useRouteContext()
  const { data: wish } = useQuery(wishQuery(user.id))
  const [next, setNext] = useState<{ run: () => void } | null>(null)
  return {
    prepare: (run: () => void) => (wish === null ? setNext({ run }) : run()),
    dialog: (
      <LazyDialog opened={next !== null}>
        {(opened) => (
          <WishDialog
            userId={user.id}
            opened={opened}
            onSaved={() => next?.run()}
            onClose={() => setNext(null)}
          />
        )}
      </LazyDialog>
    ),
  }
}
