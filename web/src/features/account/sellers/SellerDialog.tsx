import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/Dialog.tsx'
import { SellerForm } from './SellerForm.tsx'
import { mySellerQuery } from './sellers.queries.ts'

/**
 * Asks an owner whether they share as a private person or a trader, before their first plan or to change the answer.
 */
export function SellerDialog({ answer }: { answer: (given: boolean) => void }) {
  const { data: seller } = useQuery(mySellerQuery)
  return (
    <Dialog opened onClose={() => answer(false)} title={t`How do you share?`} closeOnClickOutside={false}>
      {seller !== undefined && <SellerForm seller={seller} onDone={() => answer(true)} />}
    </Dialog>
  )
}
