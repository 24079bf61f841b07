import { t } from '@lingui/core/macro'
import { Stack, Tabs } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import * as z from 'zod/mini'
import { ServiceProviders } from '#features/plans/catalogue/ServiceProviders.tsx'
import { PendingRequestsBell } from '#features/plans/provider-requests/PendingRequestsBell.tsx'
import { PendingRequestsCard } from '#features/plans/provider-requests/PendingRequestsCard.tsx'
import { adminFiguresQuery } from '#features/staff/dashboard/admin-figures.queries.ts'
import { RoleBadge } from '#features/staff/roles/RoleBadge.tsx'
import { RoleRequestList } from '#features/staff/roles/RoleRequestList.tsx'
import { useRole } from '#features/staff/roles/use-role.ts'
import { InvoiceSettings } from '#features/staff/site-settings/InvoiceSettings.tsx'
import { OperatorSettings } from '#features/staff/site-settings/OperatorSettings.tsx'
import { SharingSettings } from '#features/staff/site-settings/SharingSettings.tsx'
import { SiteSettings } from '#features/staff/site-settings/SiteSettings.tsx'
import { lazyPart } from '#lib/online.ts'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { Overview } from '../../../../-admin/Overview.tsx'

const SupplySettings = lazyPart(
  async () => (await import('#features/staff/site-settings/SupplySettings.tsx')).SupplySettings,
)
const TaxSettings = lazyPart(
  async () => (await import('#features/staff/site-settings/TaxSettings.tsx')).TaxSettings,
)

const searchSchema = z.object({
  tab: given(z.enum(['overview', 'requests', 'providers', 'settings'])),
  /** The length of the periods in the charts. */
  by: given(z.literal('week')),
})

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/')({
  validateSearch: searchSchema,
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(adminFiguresQuery(user.id))
  },
  component: AdminDashboard,
})

const TABS = [
  { value: 'overview', label: t`Overview`, needs: null },
  { value: 'requests', label: t`Requests`, needs: ['users.edit'] },
  { value: 'providers', label: t`Service Providers`, needs: null },
  { value: 'settings', label: t`Settings`, needs: ['users.edit', 'settings.edit'] },
] as const

function AdminDashboard() {
  const { id: userId } = useUser()
  const { role, may } = useRole(userId)
  const { tab, by } = Route.useSearch()
  const navigate = Route.useNavigate()
  const tabs = TABS.filter(({ needs }) => needs?.some(may) ?? true)
  const shown = tabs.find(({ value }) => value === tab)?.value ?? 'overview'
  const show = (next: string | null) =>
    void navigate({ search: { tab: tabs.find(({ value }) => value === next)?.value } })
  return (
    <>
      <PageTitle
        title={t`Admin Dashboard`}
        actions={
          <>
            <RoleBadge of={role} />
            {may('subscriptions.delete') && <PendingRequestsBell userId={userId} />}
          </>
        }
      >
        {role === 'super-admin'
          ? t`You have full administrative privileges`
          : t`Some actions may require higher privileges`}
      </PageTitle>
      <Tabs value={shown} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} px={{ base: 8, xs: 'md' }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Overview
            userId={userId}
            may={may}
            step={by ?? 'month'}
            onStep={(step) =>
              void navigate({ search: { tab, by: step === 'month' ? undefined : step }, resetScroll: false })
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <RoleRequestList userId={userId} mayDecide={may('roles.manage')} />
        </Tabs.Panel>
        <Tabs.Panel value="providers">
          <Stack gap="lg">
            {may('subscriptions.delete') && <PendingRequestsCard userId={userId} />}
            <div>
              <ServiceProviders mayRule={may('subscriptions.delete')} />
            </div>
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <Stack gap="lg">
            <SiteSettings mayEdit={may('settings.edit')} mayBindStaff={may('roles.manage')} />
            {may('settings.edit') && <SharingSettings disabled={false} />}
            {may('settings.edit') && <OperatorSettings />}
            {may('settings.edit') && <InvoiceSettings />}
            <Suspense>{may('settings.edit') && <SupplySettings />}</Suspense>
            <Suspense>{may('settings.edit') && <TaxSettings />}</Suspense>
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
