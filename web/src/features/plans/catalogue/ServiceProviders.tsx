import { Alert, Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isConnectionProblem, reasonOf, toAppError } from '#lib/errors.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { catalogueQuery } from './catalogue.queries.ts'
import { closedProvidersQuery, useClosedProvidersLive } from './closed-providers.ts'
import { ServiceProvidersTable } from './ServiceProvidersTable.tsx'

interface ServiceProvidersProps {
  logoOf: (provider: string) => ReactNode
  /** May the reader switch providers off? */
  maySwitch: boolean
  /** Only who is offered, without what they sell. */
  offersOnly?: boolean
}

/** Every provider of the catalogue with what it sells, to be found by name. */
export function ServiceProviders({ logoOf, maySwitch, offersOnly = false }: ServiceProvidersProps) {
  const { data: providers, error, refetch, isFetching } = useQuery(catalogueQuery)
  const { data: closed } = useQuery({ ...closedProvidersQuery, enabled: maySwitch })
  useClosedProvidersLive()
  const [search, setSearch] = useState('')
  if (!providers)
    return error ? (
      <Alert color="beet" title={failureText(error)} icon={<IconAlertTriangle aria-hidden />}>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Try Again
        </Button>
      </Alert>
    ) : (
      <RowsSkeleton rows={6} />
    )
  const wanted = search.trim().toLowerCase()
  const found = providers.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <>
      <TextInput
        type="search"
        mb="md"
        maw={420}
        aria-label="Search service providers"
        placeholder="Search service providers"
        leftSection={<IconSearch size={18} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {found.length > 0 ? (
        <ServiceProvidersTable
          providers={found}
          logoOf={logoOf}
          closed={maySwitch ? closed : undefined}
          offersOnly={offersOnly}
        />
      ) : (
        <div role="status">
          <EmptyState title="No service providers found" />
        </div>
      )}
    </>
  )
}

/** Staff is told the server's own words, which say more than "try again" to who runs it. */
function failureText(problem: unknown): string {
  const reason = isConnectionProblem(problem) ? reasonOf(problem) : toAppError(problem).message
  return `Error loading service providers: ${reason}`
}
