import { plural, t } from '@lingui/core/macro'
import { Group, Table, Text } from '@mantine/core'
import { type CataloguePlan, categoryLabel, type Provider, perCycle } from '#domain/catalogue.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Money } from '#ui/Money.tsx'
import { ProviderRuleSelect } from './ProviderRuleSelect.tsx'
import type { Rule } from './provider-rules.ts'
import classes from './ServiceProvidersTable.module.css'

/** The number of plans listed for a provider; of the others, only the count is shown. */
const SHOWN = 2

export interface ServiceProvidersTableProps {
  providers: readonly Provider[]
  /** The rules set and in force, by the provider's name; undefined if the reader may not set them. */
  rules?:
    | {
        set: Readonly<Record<string, { rule: Rule; reason: string }>>
        restricted: Readonly<Record<string, { rule: Rule }>>
      }
    | undefined
}

/** Providers with their first two plans, priced in euros. */
export function ServiceProvidersTable({ providers, rules }: ServiceProvidersTableProps) {
  return (
    <div className={classes.frame}>
      <Table verticalSpacing="sm" aria-label={t`Service providers`} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Provider`}</Table.Th>
            <Table.Th visibleFrom="sm">{t`Category`}</Table.Th>
            <Table.Th>{t({ message: 'Plans', context: 'what a provider sells' })}</Table.Th>
            {rules && <Table.Th>{t`Rule`}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {providers.map(({ id, name, category, plans }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" className={classes.provider}>
                <Group gap="sm" wrap="nowrap">
                  <ProviderLogo provider={name} size="sm" />
                  <div>
                    <Text fw={600}>{name}</Text>
                    <Text size="sm" fw={400} c="dimmed" hiddenFrom="sm">
                      {categoryLabel(category)}
                    </Text>
                  </div>
                </Group>
              </Table.Th>
              <Table.Td visibleFrom="sm">{categoryLabel(category)}</Table.Td>
              <Table.Td>
                <ProviderPlans plans={plans} />
              </Table.Td>
              {rules && (
                <Table.Td>
                  <ProviderRuleSelect
                    provider={name}
                    set={rules.set[name]}
                    inForce={rules.restricted[name]?.rule ?? 'listed'}
                  />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function ProviderPlans({ plans }: { plans: readonly CataloguePlan[] }) {
  const more = plans.length - SHOWN
  return (
    <>
      <ul className={classes.plans}>
        {plans.slice(0, SHOWN).map((plan) => (
          <PlanLine key={plan.id} plan={plan} />
        ))}
      </ul>
      {more > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {plural(more, { one: '+# more plan', other: '+# more plans' })}
        </Text>
      )}
    </>
  )
}

function PlanLine({ plan: { name, price, cycle } }: { plan: CataloguePlan }) {
  return (
    <li>
      <span>{name}</span> <Money amount={price} currency="EUR" per={perCycle(cycle)} fw={600} />
    </li>
  )
}
