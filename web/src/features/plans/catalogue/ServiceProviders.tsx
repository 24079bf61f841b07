import { t } from '@lingui/core/macro'
import { Alert, Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isConnectionProblem, reasonOf, toAppError } from '#lib/errors.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { catalogueQuery } from './catalogue.queries.ts'
import { providerRulesQuery, restrictedProvidersQuery, useProviderRulesLive } from './provider-rules.ts'
import { ServiceProvidersTable, type ServiceProvidersTableProps } from './ServiceProvidersTable.tsx'

interface ServiceProvidersProps {
  /** Whether the reader may set the rules of providers. */
  mayRule: boolean
}

/** Every provider of the catalogue with its plans, searchable by name. */
export function ServiceProviders({ mayRule }: ServiceProvidersProps) {
  const catalogue = useQuery(catalogueQuery)
  const { data: set } = useQuery({ ...providerRulesQuery, enabled: mayRule })
  const { data: restricted } = useQuery(restrictedProvidersQuery)
  useProviderRulesLive()
  const rules = mayRule && set && restricted ? { set, restricted } : undefined
  return (
    <Loaded
      of={catalogue}
      pending={<RowsSkeleton rows={6} />}
      failed={(problem, retry, isRetrying) => (
        <Alert
          color="beet"
          role="alert"
          title={failureText(problem)}
          icon={<IconAlertTriangle aria-hidden />}
        >
          <Button variant="default" loading={isRetrying} onClick={retry}>
            {t`Try Again`}
          </Button>
        </Alert>
      )}
    >
      {(providers) => <Searchable providers={providers} rules={rules} />}
    </Loaded>
  )
}

function Searchable({ providers, ...table }: ServiceProvidersTableProps) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = providers.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <>
      <TextInput
        type="search"
        mb="md"
        maw={420}
        aria-label={t`Search service providers`}
        placeholder={t`Search service providers`}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {found.length > 0 ? (
        <ServiceProvidersTable providers={found} {...table} />
      ) : (
        <div role="status">
          <EmptyState title={t`No service providers found`} />
        </div>
      )}
    </>
  )
}

/** The server's error text, which tells staff more than "try again". */
function failureText(problem: unknown): string {
  const reason = isConnectionProblem(problem) ? reasonOf(problem) : toAppError(problem).message
  return t`Error loading service providers: ${reason}`
}
