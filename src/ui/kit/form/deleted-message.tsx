import './form.css';

/** Above a form: what it was about has gone, and what was typed has not. */
export const DeletedMessage = ({ what }: { what: string }) => (
  <p className="form-gone" role="alert">
    Someone else has deleted “<span dir="auto">{what}</span>”. What you entered is still here: save it as a new one, or
    cancel.
  </p>
);
