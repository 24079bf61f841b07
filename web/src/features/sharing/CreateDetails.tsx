import { Card } from '@mantine/core'

import type { CataloguePlan, Provider } from '#domain/catalogue.ts'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { toastError } from '#ui/toasts.ts'
import classes from './Create.module.css'
import { CreateDots, type CreatePart } from './CreateDots.tsx'
import { CreateRenewalForm } from './CreateRenewalForm.tsx'
import { CreateSlotsForm } from './CreateSlotsForm.tsx'
import { CreateSummary } from './CreateSummary.tsx'
import { type CreatePlanForm, createPlanSchema } from './create-plan.schema.ts'
import type { CreateSearch } from './create-wizard.ts'

interface CreateDetailsProps {
  provider: Provider
  plan: CataloguePlan
  brand: Brand
  /** What the address remembers of this step. */
  search: Pick<CreateSearch, 'part' | 'renewal' | 'slots'>
  busy: boolean
  onPart: (part: CreatePart) => void
  onChange: (changed: Pick<CreateSearch, 'renewal' | 'slots'>) => void
  onCreate: (form: CreatePlanForm) => void
}

/** The last step: renewal date, then open slots, beside the plan they are for. */
export function CreateDetails({
  provider,
  plan,
  brand,
  search,
  busy,
  onPart,
  onChange,
  onCreate,
}: CreateDetailsProps) {
  const today = dayOf(new Date())
  const renewal = search.renewal ?? defaultRenewalDate(plan.cycle, today, plan.durationYears)
  const slots = Math.min(search.slots ?? plan.maxMembers - 1, plan.maxMembers - 1)
  const submit = () => {
    const form = createPlanSchema(today).safeParse(toForm(provider, plan, renewal, slots))
    if (form.success) onCreate(form.data)
    else toastError('Validation Error', form.error.issues[0]?.message)
  }
  return (
    <div className={classes.columns}>
      <CreateSummary provider={provider.name} category={provider.category} plan={plan} brand={brand} />
      <Card>
        <CreateDots part={search.part ?? 'renewal'} onPart={onPart} />
        {search.part === 'slots' ? (
          <CreateSlotsForm
            plan={plan}
            slots={slots}
            busy={busy}
            onSlots={(count) => onChange({ slots: count })}
            onBack={() => onPart('renewal')}
            onSubmit={submit}
          />
        ) : (
          <CreateRenewalForm
            provider={provider.name}
            plan={plan}
            renewal={renewal || null}
            onRenewal={(day) => onChange({ renewal: day ?? '' })}
            onNext={() => onPart('slots')}
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
  openSlots: number,
): CreatePlanForm {
  return {
    cataloguePlanId: plan.id,
    name: plan.name,
    provider,
    category: category,
    description: plan.description,
    price: plan.price,
    billingCycle: plan.cycle,
    renewalDate: renewal || null,
    maxMembers: plan.maxMembers,
    providerMaxMembers: plan.maxMembers,
    openSlots,
  }
}
