import { t } from '@lingui/core/macro'
import { Card, Group, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { type CataloguePlan, type Category, categoryLabel, type Provider } from '#domain/catalogue.ts'
import { planName } from '#domain/plan-name.ts'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import { useCatalogueText } from '#features/plans/catalogue/catalogue-text.ts'
import { restrictedProvidersQuery } from '#features/plans/catalogue/provider-rules.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { toastError } from '#ui/toasts.ts'
import classes from './Create.module.css'
import { CreateRenewalForm } from './CreateRenewalForm.tsx'
import { settlementRefusal } from './CreateSettlement.tsx'
import { CreateSlotsForm } from './CreateSlotsForm.tsx'
import type { Cards } from './cards.ts'
import { type CreatePlanForm, createPlanSchema } from './create-plan.schema.ts'
import type { CreateSearch } from './create-wizard.ts'

interface CreateDetailsProps {
  service: Provider
  plan: CataloguePlan
  /** The choices of this step, which are stored in the URL. */
  search: Pick<CreateSearch, 'part' | 'renewal' | 'slots' | 'pay' | 'private'>
  cards: Cards
  /** The fee rate for new plans, such as 0.1. */
  feeRate: number
  /** The notice that no real money moves; shown only in the simulation. */
  simulation: ReactNode
  /** Called once the form is mounted. */
  onShown: (shown: true) => void
  onNext: () => void
  onChange: (changed: Pick<CreateSearch, 'renewal' | 'slots' | 'pay' | 'private'>) => void
  onCreate: (form: CreatePlanForm) => void
}

/** The last step: renewal date, then open slots, beside a summary of the plan. */
export function CreateDetails({
  service,
  plan,
  search,
  cards,
  feeRate,
  simulation,
  onShown,
  onNext,
  onChange,
  onCreate,
}: CreateDetailsProps) {
  useEffect(() => onShown(true), [onShown])
  const today = dayOf(new Date())
  const renewal = search.renewal ?? defaultRenewalDate(plan.cycle, today, plan.durationYears)
  const slots = Math.min(search.slots ?? LIMITS.defaultPlaces - 1, plan.maxMembers - 1)
  const settlement = settlementRefusal(plan, cards, feeRate) ? 'direct' : (search.pay ?? 'potluck')
  const { data: restricted = {} } = useQuery(restrictedProvidersQuery)
  const mayList = !(service.name in restricted)
  const isPrivate = !mayList || (search.private ?? false)
  const submit = () => {
    const chosen = { openSlots: slots, settlement, feeRate, isPrivate }
    const form = createPlanSchema(today).safeParse(toForm(service, plan, renewal, chosen))
    if (form.success) onCreate(form.data)
    else toastError(t`Validation Error`, form.error.issues[0]?.message)
  }
  return (
    <div className={classes.columns}>
      <CreateSummary provider={service.name} category={service.category} plan={plan} />
      <Card>
        {search.part ? (
          <CreateSlotsForm
            plan={plan}
            slots={slots}
            settlement={settlement}
            cards={cards}
            feeRate={feeRate}
            isPrivate={isPrivate}
            mayList={mayList}
            simulation={simulation}
            onSlots={(count) => onChange({ slots: count })}
            onSettlement={(pay) => onChange({ pay })}
            onPrivate={(hidden) => onChange({ private: hidden || undefined })}
            onSubmit={submit}
          />
        ) : (
          <CreateRenewalForm
            provider={service.name}
            plan={plan}
            renewal={renewal || null}
            onRenewal={(day) => onChange({ renewal: day ?? '' })}
            onNext={onNext}
          />
        )}
      </Card>
    </div>
  )
}

function toForm(
  { name: provider, category }: Provider,
  plan: CataloguePlan,
  renewal: string,
  chosen: Pick<CreatePlanForm, 'openSlots' | 'settlement' | 'feeRate' | 'isPrivate'>,
): CreatePlanForm {
  const { id: cataloguePlanId, name, description, price, cycle: billingCycle, maxMembers } = plan
  return {
    ...{ cataloguePlanId, name, provider, category, description, price, billingCycle, maxMembers },
    providerMaxMembers: maxMembers,
    renewalDate: renewal || null,
    ...chosen,
  }
}

interface CreateSummaryProps {
  provider: string
  category: Category
  plan: CataloguePlan
}

/** A summary of the plan to be shared, beside the form. */
function CreateSummary({ provider, category, plan }: CreateSummaryProps) {
  const text = useCatalogueText()
  return (
    <ProviderCard provider={provider}>
      <Group wrap="nowrap" gap="md">
        <ProviderLogo provider={provider} />
        <div>
          <Text size="sm" c="dimmed">
            {provider} · {categoryLabel(category)}
          </Text>
          <Text fw={700} fz="lg" lh={1.3} ff="heading">
            {planName(plan.name)}
          </Text>
        </div>
      </Group>
      <Text c="dimmed" size="sm" mt="md" visibleFrom="sm">
        {text?.(plan.description)}
      </Text>
    </ProviderCard>
  )
}
