import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { isOwnPlan, type Plan } from '#domain/plan.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const ProposeTermsDialog = lazyPart(async () => (await import('./ProposeTermsDialog.tsx')).ProposeTermsDialog)
const ProposeSharesDialog = lazyPart(
  async () => (await import('./ProposeSharesDialog.tsx')).ProposeSharesDialog,
)

interface ProposeButtonProps {
  plan: Plan
  /** The price that an own plan will have; its present one if left out. */
  price?: number
}

/** Opens the dialog in which the owner proposes new terms or, in an own plan, divides the price. */
export function ProposeButton({ plan, price = plan.totalPrice }: ProposeButtonProps) {
  const [proposing, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" size="sm" onClick={open}>
        {isOwnPlan(plan) ? t`Divide the price` : t`Propose new terms`}
      </Button>
      <LazyDialog opened={proposing}>
        {(opened) =>
          isOwnPlan(plan) ? (
            <ProposeSharesDialog plan={plan} price={price} opened={opened} onClose={close} />
          ) : (
            <ProposeTermsDialog plan={plan} opened={opened} onClose={close} />
          )
        }
      </LazyDialog>
    </>
  )
}
